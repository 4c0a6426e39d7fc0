package dev.heddle;

import static dev.heddle.CancellationTest.reason;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/// The time to clean up after a cancellation, and what happens to those who do not use it.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("CT-05")
final class CleanUpWindowTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final World world = World.virtual();

    @Test
    void cleanUpSuspendsAsUsual() {
        world.run(
                () -> {
                    var tidy =
                            spawn(
                                    () -> {
                                        try {
                                            delay(HOUR);
                                        } finally {
                                            suspend();
                                            delay(Duration.ofMillis(999));
                                            world.say("bye at " + world.elapsed());
                                        }
                                    });
                    suspend();

                    assertEquals("stop", reason(tidy.cancelAndAwait("stop")));
                });
        assertEquals(List.of("bye at PT0.999S"), world.trail);
        assertEquals(List.of(), world.reports());
    }

    @Test
    void whoIsStillThereWhenTheWindowEndsIsReportedAndCancelledAgain() {
        world.run(
                () -> {
                    var slow =
                            spawn(
                                    "slow",
                                    () -> {
                                        try {
                                            delay(HOUR);
                                        } finally {
                                            sayWhenCut(() -> delay(Duration.ofMinutes(1)));
                                        }
                                    });
                    suspend();

                    assertEquals("stop", reason(slow.cancelAndAwait("stop")));
                });
        assertEquals(List.of("stop at PT1S"), world.trail);
        var report = world.reports().getFirst();
        assertEquals(Report.Kind.UNANSWERED, report.kind());
        assertTrue(report.text().contains("\"slow\""), report.text());
        assertFalse(report.stack().isEmpty());
        assertEquals(1, world.reports().size());
    }

    @Test
    void aWindowThatEndsInsideAShieldBeginsAnewAfterIt() {
        world.run(
                () -> {
                    var slow =
                            spawn(
                                    () -> {
                                        try {
                                            delay(HOUR);
                                        } finally {
                                            protect(() -> delay(Duration.ofSeconds(5)));
                                            world.say("shield left at " + world.elapsed());
                                            sayWhenCut(() -> delay(HOUR));
                                        }
                                    });
                    suspend();

                    assertEquals("stop", reason(slow.cancelAndAwait("stop")));
                });
        assertEquals(List.of("shield left at PT5S", "stop at PT6S"), world.trail);
        assertEquals(1, world.reports().size());
    }

    @Test
    void theWindowIsAsLongAsTheOptionsSay() {
        world.with(options -> options.cleanUpWindow(Duration.ofSeconds(5)))
                .run(
                        () -> {
                            var slow = spawn(() -> ignoring(1, () -> delay(HOUR)));
                            suspend();
                            slow.cancelAndAwait("stop");
                        });
        assertEquals(List.of("stop at PT0S", "stop at PT5S"), world.trail);
    }

    @Test
    void anotherDeliveryIsAnotherObject() {
        world.run(
                () -> {
                    var seen = new ArrayList<Cancellation>();
                    var slow =
                            spawn(
                                    () -> {
                                        for (int i = 0; i < 2; i++) {
                                            try {
                                                delay(HOUR);
                                            } catch (Cancellation thrown) {
                                                seen.add(thrown);
                                            }
                                        }
                                    });
                    suspend();
                    slow.cancelAndAwait("stop");

                    assertEquals(2, seen.size());
                    // The first one may be on its way through a try-with-resources: it cannot be
                    // suppressed by itself.
                    seen.get(0).addSuppressed(seen.get(1));
                });
    }

    @Test
    void fromTheThirdUnansweredWindowOnEverySuspensionPointThrowsAtOnce() {
        world.run(
                () -> {
                    var stubborn = spawn(() -> ignoring(6, () -> delay(HOUR)));
                    suspend();

                    assertEquals("stop", reason(stubborn.cancelAndAwait("stop")));
                });
        assertEquals(
                List.of(
                        "stop at PT0S",
                        "stop at PT1S",
                        "stop at PT2S",
                        "stop at PT3S",
                        "stop at PT3S",
                        "stop at PT3S",
                        "stop at PT3S"),
                world.trail);
        assertEquals(3, world.reports(Report.Kind.UNANSWERED).size());
    }

    @Test
    void oneWindowLaterItIsAZombieAndNothingWaitsForIt() {
        var spent = new AtomicLong();
        world.with(
                        options ->
                                options.loop(
                                        loop ->
                                                loop.reactor(
                                                        world.sim(),
                                                        () -> world.sim().nanos() + spent.get())))
                .run(
                        () -> {
                            var scope = new Scope().asNotSafely();
                            var spinning = scope.spawn("spinning", () -> spin(spent));
                            suspend();
                            scope.cancel("stop");

                            scope.awaitCompletion();

                            assertTrue(spinning.isZombie());
                            assertEquals(0, scope.active());
                            assertEquals(1, scope.zombies());
                            world.say("gone on");
                        });
        assertEquals(List.of("gone on"), world.trail);
        assertEquals(4, world.reports(Report.Kind.UNANSWERED).size());
        assertEquals(1, world.reports(Report.Kind.ZOMBIE).size());
        assertEquals(1, world.reports(Report.Kind.ABANDONED).size());
        Duration took = world.elapsed().plusNanos(spent.get());
        assertTrue(took.compareTo(Duration.ofSeconds(6)) >= 0, "four windows and the grace");
    }

    // Swallows every cancellation. That takes a tenth of a second each time, of which the simulated
    // kernel knows nothing: without it no time would pass.
    private static void spin(AtomicLong spent) {
        while (Schedulers.currentOrNull() != null) {
            try {
                delay(HOUR);
            } catch (Cancellation swallowed) {
                spent.addAndGet(Duration.ofMillis(100).toNanos());
            }
        }
    }

    @Test
    void whoIgnoresInterruptsInACallOfTheJdkBecomesAZombieToo() {
        var release = new CountDownLatch(1);
        try {
            world.run(
                    () -> {
                        var deaf = spawn("deaf", () -> waitUninterruptibly(release));
                        suspend();
                        deaf.cancel("stop");
                        delay(Duration.ofMillis(3999));
                        assertFalse(deaf.isZombie());
                        delay(Duration.ofMillis(2));
                        assertTrue(deaf.isZombie());
                    });
        } finally {
            release.countDown();
        }
        assertEquals(
                List.of(
                        "interrupted at PT0S",
                        "interrupted at PT1S",
                        "interrupted at PT2S",
                        "interrupted at PT3S",
                        "interrupted at PT4S"),
                world.trail);
        assertEquals(Duration.ofMillis(6001), world.elapsed());
        assertEquals(1, world.reports(Report.Kind.ABANDONED).size());
    }

    private void waitUninterruptibly(CountDownLatch release) {
        while (true) {
            try {
                release.await();
                return;
            } catch (InterruptedException ignored) {
                world.say("interrupted at " + world.elapsed());
            }
        }
    }

    @Test
    void theWindowBeginsWithTheDeliveryNotWithTheHintBeforeIt() {
        world.run(
                () -> {
                    var release = new CountDownLatch(1);
                    var busy =
                            spawn(
                                    () -> {
                                        waitUninterruptibly(release);
                                        try {
                                            suspend();
                                        } finally {
                                            delay(Duration.ofMillis(999));
                                            world.say("bye at " + world.elapsed());
                                        }
                                    });
                    suspend();
                    busy.cancel("stop");
                    delay(Duration.ofMillis(500));
                    release.countDown();

                    assertEquals("stop", reason(busy.awaitOutcome()));
                });
        assertEquals(List.of("interrupted at PT0S", "bye at PT1.499S"), world.trail);
        assertEquals(List.of(), world.reports());
    }

    @Test
    void protectDefersEveryDelivery() {
        world.run(
                () -> {
                    var careful =
                            spawn(
                                    () -> {
                                        try {
                                            delay(HOUR);
                                        } finally {
                                            protect(() -> delay(Duration.ofSeconds(30)));
                                            world.say("written at " + world.elapsed());
                                        }
                                    });
                    suspend();

                    assertEquals("stop", reason(careful.cancelAndAwait("stop")));
                });
        assertEquals(List.of("written at PT30S"), world.trail);
        assertEquals(List.of(), world.reports());
    }

    @Test
    void aCoroutineInItsWindowIsActiveAndNoZombie() {
        world.run(
                () -> {
                    var scope = new Scope();
                    var tidy =
                            scope.spawn(
                                    () -> {
                                        try {
                                            delay(HOUR);
                                        } finally {
                                            delay(Duration.ofMillis(500));
                                        }
                                    });
                    suspend();
                    tidy.cancel("stop");
                    suspend();

                    scope.disposeSafely();

                    assertFalse(tidy.isZombie());
                    assertEquals(1, scope.active());
                    assertEquals(0, scope.zombies());
                    scope.awaitCompletion();
                    assertEquals(Duration.ofMillis(500), world.elapsed());
                    assertTrue(tidy.isCancelled());
                });
    }

    @Test
    void manyWindowsEndInTurn() {
        world.run(
                () -> {
                    for (int i = 0; i < 3; i++) {
                        var slow = spawn("slow " + i, () -> ignoring(1, () -> delay(HOUR)));
                        suspend();
                        slow.cancel(String.valueOf(i));
                        delay(Duration.ofMillis(100));
                    }
                });
        assertEquals(
                List.of(
                        "0 at PT0S",
                        "1 at PT0.1S",
                        "2 at PT0.2S",
                        "0 at PT1S",
                        "1 at PT1.1S",
                        "2 at PT1.2S"),
                world.trail);
    }

    private void ignoring(int times, VoidOp<RuntimeException> wait) {
        for (int i = 0; i < times; i++) {
            try {
                sayWhenCut(wait);
            } catch (Cancellation swallowed) {
                assertFalse(swallowed.reason().isEmpty());
            }
        }
        sayWhenCut(wait);
    }

    private void sayWhenCut(VoidOp<RuntimeException> wait) {
        try {
            wait.run();
        } catch (Cancellation thrown) {
            world.say(thrown.reason() + " at " + world.elapsed());
            throw thrown;
        }
    }
}
