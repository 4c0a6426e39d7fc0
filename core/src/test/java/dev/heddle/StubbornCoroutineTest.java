package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// A coroutine that swallows every cancellation cannot keep the program from ending. In real time:
/// in virtual time it is the kit that lets the clock move.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class StubbornCoroutineTest {
    private static final Duration SHORT = Duration.ofMillis(5);

    private final World world =
            World.real().with(options -> options.cleanUpWindow(SHORT).zombieGrace(SHORT));
    private final CountDownLatch gone = new CountDownLatch(1);
    private volatile boolean told;

    @AfterEach
    void leaveNothingBehind() throws InterruptedException {
        told = true;
        gone.await();
    }

    @Test
    void programEndsAndReportsIt() {
        world.run(
                () -> {
                    var coroutine = spawn("stubborn", this::swallowEverything);
                    suspend();
                    coroutine.cancel("please");
                });

        assertEquals(4, world.reports(Report.Kind.UNANSWERED).size());
        assertEquals(1, world.reports(Report.Kind.ZOMBIE).size());
        List<String> abandoned = world.reports(Report.Kind.ABANDONED);
        assertEquals(1, abandoned.size());
        assertTrue(abandoned.getFirst().contains("\"stubborn\""), abandoned::getFirst);
    }

    private void swallowEverything() {
        try {
            while (!told) {
                try {
                    delay(Duration.ofHours(1));
                } catch (Cancellation swallowed) {
                    // That is the point: it never lets a cancellation out.
                }
            }
        } finally {
            gone.countDown();
        }
    }
}
