package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.List;

/// Who keeps the loop from running is named, and who sleeps in it is not.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("JV-06")
final class WatchdogTest {
    private static final Duration LIMIT = Duration.ofMillis(20);
    private static final int LOOKS = 10;
    private static final String MAIN = "Coroutine #1 \"main\", spawned at ";
    private static final String BUSY = "Coroutine #2 \"busy\", spawned at ";
    private static final String PINNED =
            "It waits, and the initialiser of dev.heddle.WatchdogTest$";
    private static final String CALLBACK = "a callback keeps";

    private final World world = World.real().with(options -> options.blockedAfter(LIMIT));

    // Only of this one: a machine that is busy may keep a loop's thread from running by itself.
    private List<Report> blockedBy(String who) {
        return world.reports().stream()
                .filter(report -> report.kind() == Report.Kind.BLOCKED_LOOP)
                .filter(report -> report.text().startsWith(who))
                .toList();
    }

    // On the loop, without ever letting it go.
    private void spinUntilReported(String who, int count) {
        while (blockedBy(who).size() < count) {
            Thread.onSpinWait();
        }
    }

    @Test
    void aCoroutineThatKeepsTheLoopIsReportedWithItsNameAndItsStack() {
        world.run(
                () -> {
                    spawn("busy", () -> spinUntilReported(BUSY, 1));
                });

        var report = blockedBy(BUSY).getFirst();
        assertTrue(report.text().contains("PT0.02S"), report.text());
        assertTrue(
                report.stack().stream()
                        .anyMatch(frame -> frame.getMethodName().equals("spinUntilReported")),
                report.full());
    }

    @Test
    void aBlockIsReportedOnceHoweverLongItLasts() {
        world.run(
                () -> {
                    spinUntilReported(MAIN, 1);
                    long end = System.nanoTime() + 10 * LIMIT.toNanos();
                    while (System.nanoTime() < end) {
                        Thread.onSpinWait();
                    }
                    assertEquals(1, blockedBy(MAIN).size());
                });
    }

    @Test
    void theNextBlockIsReportedAgain() {
        world.run(
                () -> {
                    spinUntilReported(MAIN, 1);
                    delay(Duration.ofMillis(1));
                    spinUntilReported(MAIN, 2);
                });
    }

    @Test
    void aCallbackThatKeepsTheLoopIsReportedWithItsStack() {
        world.run(
                () -> {
                    var done = new Promise<String>();
                    Heddle.current()
                            .loop()
                            .post(
                                    () -> {
                                        spinUntilSeenInCallback();
                                        done.complete("");
                                    });
                    delay(Duration.ofMillis(1));
                    await(done.deferred());
                });
    }

    @Test
    void aHandlerOfAnEndThatKeepsTheLoopIsReportedWithItsStack() {
        world.run(
                () -> {
                    var child = spawn(() -> "done");
                    child.onCompletion(_ -> spinUntilSeenInCallback());
                    await(child);
                });
    }

    private void spinUntilSeenInCallback() {
        while (blockedBy(CALLBACK).stream().noneMatch(WatchdogTest::isInCallback)) {
            Thread.onSpinWait();
        }
    }

    private static boolean isInCallback(Report report) {
        return report.stack().stream()
                .anyMatch(frame -> frame.getMethodName().equals("spinUntilSeenInCallback"));
    }

    @Test
    void zeroMeansNoWatchdog() {
        world.with(options -> options.blockedAfter(Duration.ZERO))
                .run(() -> assertFalse(isWatched()));
        world.with(options -> options.blockedAfter(LIMIT)).run(() -> assertTrue(isWatched()));
        assertFalse(isWatched());
    }

    private static boolean isWatched() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("heddle-watchdog"));
    }

    @Test
    void aLoopThatWaitsInTheKernelIsNotBlocked() {
        withOwnWatchdog(
                watchdog -> {
                    var scheduler = Heddle.current().scheduler();
                    Promise<String> looked = Promise.external();
                    var other =
                            Thread.ofPlatform()
                                    .start(
                                            () -> {
                                                while (!scheduler.isPolling()) {
                                                    Thread.onSpinWait();
                                                }
                                                lookOften(watchdog);
                                                looked.complete("");
                                            });
                    await(looked.deferred());
                    other.join();
                });

        assertEquals(List.of(), world.reports());
    }

    @Test
    void aLoopThatChangesBetweenCoroutinesIsNotBlockedHoweverBusyItIs() {
        withOwnWatchdog(
                watchdog -> {
                    var other = spawn(() -> letOthersRun(LOOKS));
                    for (int i = 0; i < LOOKS; i++) {
                        watchdog.look();
                        suspend();
                    }
                    await(other);
                });

        assertEquals(List.of(), world.reports());
    }

    private static void letOthersRun(int times) {
        for (int i = 0; i < times; i++) {
            suspend();
        }
    }

    @Test
    void itIsReportedAtTheFourthLookWithoutASignOfLife() {
        withOwnWatchdog(
                watchdog -> {
                    watchdog.look();
                    for (int i = 1; i <= 4; i++) {
                        assertEquals(0, blockedBy(MAIN).size(), "look " + i);
                        watchdog.look();
                    }
                    assertEquals(1, blockedBy(MAIN).size());
                    lookOften(watchdog);
                    assertEquals(1, blockedBy(MAIN).size());
                });
    }

    @Test
    void aWaitThatBeginsWhileTheWatchdogLooksIsNotTakenForAPinnedOne() {
        withOwnWatchdog(
                watchdog -> {
                    var door = new Promise<String>();
                    var waits = spawn(() -> await(door.deferred()));
                    suspend();
                    var scheduler = Heddle.current().scheduler();
                    var me = scheduler.current;
                    // What a watchdog sees that looked just before: it has parked, and the loop's
                    // thread is on its way to the next.
                    scheduler.current = waits;
                    lookOften(watchdog);
                    scheduler.current = me;

                    suspend();
                    door.complete("the value");

                    assertEquals("the value", await(waits));
                });
    }

    private void withOwnWatchdog(VoidFn<Watchdog, Exception> body) {
        world.with(options -> options.blockedAfter(Duration.ZERO));
        try {
            world.run(
                    () -> {
                        body.accept(new Watchdog(Heddle.current().scheduler(), LIMIT.toNanos()));
                    });
        } catch (Exception unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    private static void lookOften(Watchdog watchdog) {
        for (int i = 0; i < LOOKS; i++) {
            watchdog.look();
        }
    }

    @Test
    void aWaitInAClassInitialiserThrowsInsteadOfBlockingTheLoopForEver() {
        world.run(
                () -> {
                    var failed =
                            assertThrows(ExceptionInInitializerError.class, Initialised::touch);
                    var cause = assertInstanceOf(IllegalStateException.class, failed.getCause());
                    String text = String.valueOf(cause.getMessage());
                    assertTrue(text.startsWith("cannot wait here: a class initialiser"), text);
                    // It has left nothing behind: other waits are as before.
                    delay(Duration.ofMillis(1));
                });

        // Not necessarily the first: a busy machine may have kept the initialiser from its wait.
        assertTrue(
                blockedBy(MAIN).stream().anyMatch(report -> report.text().contains(PINNED)),
                world.reports()::toString);
    }

    @Test
    void aPinnedWaitAfterALongComputationIsReportedToo() {
        world.run(() -> assertThrows(ExceptionInInitializerError.class, () -> Slow.touch(this)));

        var texts = blockedBy(MAIN).stream().map(Report::text).toList();
        assertEquals(2, texts.size(), texts::toString);
        assertFalse(texts.getFirst().contains(PINNED), texts::toString);
        assertTrue(texts.getLast().contains(PINNED), texts::toString);
    }

    @Test
    void whoCatchesThatAndWaitsAgainInTheInitialiserGetsItAgain() {
        world.run(() -> assertEquals(3, Stubborn.CAUGHT));
    }

    @Test
    void aPinnedWaitThatWasEndedDoesNotHideADeadlock() {
        assertThrows(
                DeadlockError.class,
                () ->
                        world.run(
                                () -> {
                                    assertThrows(
                                            ExceptionInInitializerError.class,
                                            AlsoInitialised::touch);
                                    await(new Promise<String>().deferred());
                                }));
    }

    private static final class Initialised {
        static {
            delay(Duration.ofHours(1));
        }

        static void touch() {}
    }

    private static final class Slow {
        private static WatchdogTest test;

        static void touch(WatchdogTest toReport) {
            test = toReport;
            Inner.touch();
        }

        private static final class Inner {
            static {
                test.spinUntilReported(MAIN, 1);
                delay(Duration.ofHours(1));
            }

            static void touch() {}
        }
    }

    private static final class AlsoInitialised {
        static {
            delay(Duration.ofHours(1));
        }

        static void touch() {}
    }

    private static final class Stubborn {
        static final int CAUGHT = waitAgainAndAgain();

        private static int waitAgainAndAgain() {
            int caught = 0;
            for (int i = 0; i < 3; i++) {
                try {
                    delay(Duration.ofHours(1));
                } catch (IllegalStateException pinned) {
                    caught++;
                }
            }
            return caught;
        }
    }
}
