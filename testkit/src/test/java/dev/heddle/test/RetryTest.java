package dev.heddle.test;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.Op;
import dev.heddle.Outcome;

import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A user's test: a retry with growing pauses, which would take seconds on a real clock.
class RetryTest {
    private static <T, X extends Exception> T retry(
            int attempts, Duration firstPause, Op<? extends T, X> body) throws X {
        var pause = firstPause;
        for (int attempt = 1; ; attempt++) {
            try {
                return body.call();
            } catch (Exception failed) {
                if (attempt == attempts) {
                    throw failed;
                }
            }
            delay(pause);
            pause = pause.multipliedBy(2);
        }
    }

    @HeddleTest
    void everyPauseIsTwiceTheLast(TestWorld world) throws IOException {
        var attempts = new ArrayList<Duration>();
        String value =
                retry(
                        4,
                        Duration.ofMillis(100),
                        () -> {
                            attempts.add(world.elapsed());
                            if (attempts.size() < 4) {
                                throw new IOException("not yet");
                            }
                            return "there";
                        });
        assertEquals("there", value);
        assertEquals(
                List.of(
                        Duration.ZERO,
                        Duration.ofMillis(100),
                        Duration.ofMillis(300),
                        Duration.ofMillis(700)),
                attempts);
    }

    @HeddleTest
    void theLastErrorIsThrownAsItIs() {
        var thrown =
                assertThrows(
                        IOException.class,
                        () ->
                                retry(
                                        3,
                                        Duration.ofSeconds(1),
                                        () -> {
                                            throw new IOException("down");
                                        }));
        assertEquals("down", thrown.getMessage());
    }

    @HeddleTest(seeds = 500)
    @Timeout(30)
    void aCancellationEndsThePause(TestWorld world) {
        var attempts = new ArrayList<Duration>();
        var task =
                spawn(
                        () ->
                                retry(
                                        10,
                                        Duration.ofSeconds(1),
                                        () -> {
                                            attempts.add(world.elapsed());
                                            throw new IOException("down");
                                        }));
        delay(Duration.ofMillis(world.random().nextInt(5_000)));
        task.cancel("enough");
        assertInstanceOf(Outcome.Cancelled.class, task.awaitOutcome());
    }
}
