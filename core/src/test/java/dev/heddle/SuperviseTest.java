package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Blocks in which a failure goes to a handler, and the siblings go on.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class SuperviseTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> trail = new ArrayList<>();

    @HeddleTest(seeds = 20)
    void aFailureGoesToTheHandlerAndTheSiblingsGoOn(TestWorld world) {
        Scope.supervise(
                this::note,
                scope -> {
                    scope.spawn("a", () -> failAfter(SECOND));
                    scope.spawn("b", () -> failAfter(SECOND.multipliedBy(2)));
                    scope.spawn("c", () -> delay(SECOND.multipliedBy(3)));
                });
        assertEquals(List.of("a: disk full", "b: disk full"), trail);
        assertEquals(SECOND.multipliedBy(3), world.elapsed());
        assertEquals(List.of(), world.reports());
    }

    @HeddleTest(seeds = 20)
    void whatTheBodyThrowsCancelsAll(TestWorld world) {
        assertThrows(
                IOException.class,
                () ->
                        Scope.supervise(
                                this::note,
                                scope -> {
                                    scope.spawn(() -> delay(HOUR));
                                    delay(SECOND);
                                    throw new IOException("body");
                                }));
        assertEquals(SECOND, world.elapsed());
        assertEquals(List.of(), trail);
    }

    @HeddleTest(seeds = 20)
    void whatTheHandlerThrowsFailsTheBlock(TestWorld world) {
        var thrown =
                assertThrows(
                        IllegalArgumentException.class,
                        () ->
                                Scope.supervise(
                                        (error, _) -> {
                                            throw new IllegalArgumentException("handler");
                                        },
                                        scope -> {
                                            scope.spawn(() -> failAfter(SECOND));
                                            scope.spawn(() -> delay(HOUR));
                                        }));
        assertEquals("disk full", thrown.getSuppressed()[0].getMessage());
        assertEquals(SECOND, world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void aChildThatIsAwaitedTellsOnlyWhoAwaitsIt() {
        Scope.supervise(
                this::note,
                scope -> {
                    var child = scope.spawn(() -> failAfter(SECOND));
                    assertThrows(IOException.class, () -> child.await(IOException.class));
                });
        assertEquals(List.of(), trail);
    }

    @HeddleTest(seeds = 20)
    void aFailureInCleanUpOfACancelledHostGoesToTheHandlerToo() {
        var host =
                spawn(
                        () ->
                                Scope.supervise(
                                        this::note,
                                        scope ->
                                                scope.spawn(
                                                        "a",
                                                        () -> {
                                                            try {
                                                                delay(HOUR);
                                                            } catch (Cancellation cut) {
                                                                throw new IOException("disk full");
                                                            }
                                                        })));
        delay(SECOND);
        assertInstanceOf(Outcome.Cancelled.class, host.cancelAndAwait("stop"));
        assertEquals(List.of("a: disk full"), trail);
    }

    @HeddleTest
    void nullIsRefused() {
        assertThrows(NullPointerException.class, () -> Scope.supervise(null, _ -> {}));
        assertThrows(NullPointerException.class, () -> Scope.supervise((_, _) -> {}, null));
    }

    private void note(Throwable error, ErrorSource who) {
        trail.add(who.name() + ": " + error.getMessage());
    }

    private static void failAfter(Duration time) throws IOException {
        delay(time);
        throw new IOException("disk full");
    }
}
