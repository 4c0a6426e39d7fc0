package dev.heddle;

import static dev.heddle.CancellationTest.fail;
import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// Coroutines that go on although their scope is closed: what they may do, and how they end.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("CT-06")
final class ZombieTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final World world = World.virtual();

    @Test
    void aZombieGoesOnInItsScopeAndIsListed() {
        world.run(
                () -> {
                    var scope = new Scope();
                    var zombie =
                            scope.spawn(
                                    () -> {
                                        delay(SECOND);
                                        suspend();
                                        return "value";
                                    });
                    suspend();
                    scope.disposeSafely();

                    assertTrue(Heddle.coroutines().contains(zombie));
                    assertEquals(scope, zombie.scope());
                    assertTrue(zombie.info().contains("zombie"), zombie.info());
                    assertEquals("value", await(zombie));
                    assertFalse(zombie.isCancelled());
                    assertFalse(Heddle.coroutines().contains(zombie));
                });
    }

    @Test
    void itIsLoggedWhenItBecomesOneAndEverySoOftenWithItsStack() {
        world.with(options -> options.zombieLogEvery(SECOND))
                .run(
                        () -> {
                            var scope = new Scope();
                            var zombie =
                                    scope.spawn("mailer", () -> delay(Duration.ofMillis(2500)));
                            suspend();
                            scope.disposeSafely();
                            await(zombie);
                            delay(HOUR);
                        });
        var reports = world.reports();
        assertEquals(3, reports.size());
        for (var report : reports) {
            assertEquals(Report.Kind.ZOMBIE, report.kind());
            assertTrue(report.text().contains("\"mailer\""), report.text());
            assertFalse(report.stack().isEmpty());
        }
        assertTrue(reports.get(0).text().startsWith("zombie ("));
        assertTrue(reports.get(1).text().startsWith("still a zombie"));
    }

    @Test
    void theProgramDoesNotWaitForZombiesItCancelsThem() {
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.spawn(() -> sayWhenCut("zombie", Duration.ofMillis(100)));
                    suspend();
                    scope.disposeSafely();
                    delay(SECOND);
                });
        assertEquals(List.of("zombie cut: the program ends"), world.trail);
        assertEquals(Duration.ofMillis(1100), world.elapsed());
        assertEquals(List.of(), world.reports(Report.Kind.ABANDONED));
    }

    @Test
    void aZombieThatIgnoresTheEndIsAbandonedAfterTheGraceAndReported() {
        var release = new CountDownLatch(1);
        try {
            world.with(options -> options.zombieGrace(SECOND.multipliedBy(3)))
                    .run(
                            () -> {
                                var scope = new Scope();
                                scope.spawn(
                                        "deaf", () -> Heddle.protect(() -> awaitQuietly(release)));
                                suspend();
                                scope.disposeSafely();
                            });
        } finally {
            release.countDown();
        }
        assertEquals(Duration.ofSeconds(3), world.elapsed());
        var abandoned = world.reports(Report.Kind.ABANDONED);
        assertEquals(1, abandoned.size());
        assertTrue(abandoned.getFirst().contains("\"deaf\""), abandoned.getFirst());
    }

    private static void awaitQuietly(CountDownLatch release) {
        try {
            release.await();
        } catch (InterruptedException never) {
            throw new AssertionError(never);
        }
    }

    @Test
    void theGraceIsTwoSecondsAndCleanUpIsNotDisturbedInIt() {
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.spawn(
                            () ->
                                    Heddle.protect(
                                            () -> {
                                                delay(Duration.ofMillis(1999));
                                                world.say("just in time");
                                            }));
                    scope.spawn("late", () -> Heddle.protect(() -> delay(Duration.ofMillis(2001))));
                    suspend();
                    scope.disposeSafely();
                });
        assertEquals(List.of("just in time"), world.trail);
        assertEquals(Duration.ofSeconds(2), world.elapsed());
        assertEquals(1, world.reports(Report.Kind.ABANDONED).size());
    }

    @Test
    void aZombieThatIsAlwaysReadyDoesNotHoldUpTheEnd() {
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.spawn(ZombieTest::suspendUntilCut);
                    suspend();
                    scope.disposeSafely();
                });
        assertEquals(Duration.ZERO, world.elapsed());
        assertEquals(List.of(), world.reports(Report.Kind.ABANDONED));
    }

    private static void suspendUntilCut() {
        while (!Heddle.current().isFinished()) {
            suspend();
        }
    }

    @Test
    void zombiesThatAwaitEachOtherDoNotHoldUpTheEndAndAreNoDeadlock() {
        world.run(
                () -> {
                    var scope = new Scope();
                    var pair = new Coroutine<?>[2];
                    for (int i = 0; i < 2; i++) {
                        int other = 1 - i;
                        pair[i] =
                                scope.spawn(
                                        () -> {
                                            suspend();
                                            await(pair[other]);
                                            world.say("never");
                                        });
                        pair[i].observed();
                    }
                    suspend();
                    scope.disposeSafely();
                    delay(SECOND);
                    assertFalse(pair[0].isFinished());
                    assertFalse(pair[1].isFinished());
                });
        assertEquals(List.of(), world.trail);
        assertEquals(List.of(), world.reports(Report.Kind.DEADLOCK));
        assertEquals(List.of(), world.reports(Report.Kind.ABANDONED));
        assertEquals(2, world.reports(Report.Kind.ZOMBIE).size());
        assertEquals(SECOND, world.elapsed());
    }

    @Test
    void anUnobservedErrorOfAZombieGoesItsUsualWay() {
        var failure = new IllegalStateException("broken");
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                world.run(
                                        () -> {
                                            var scope = new Scope();
                                            scope.spawn(
                                                    () -> {
                                                        delay(SECOND);
                                                        fail(failure);
                                                    });
                                            suspend();
                                            scope.disposeSafely();
                                            delay(HOUR);
                                        }));
        assertSame(failure, thrown);
        assertEquals(SECOND, world.elapsed());
    }

    @Test
    void anErrorOfAZombieInTheGraceIsThrownByRun() {
        var failure = new IllegalStateException("broken");
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                world.run(
                                        () -> {
                                            var scope = new Scope();
                                            scope.spawn(() -> failWhenCut(failure));
                                            suspend();
                                            scope.disposeSafely();
                                        }));
        assertSame(failure, thrown);
    }

    private static void failWhenCut(IllegalStateException failure) {
        try {
            delay(HOUR);
        } finally {
            fail(failure);
        }
    }

    @Test
    void handlersOfTheLastZombieStillRunAndTheirErrorsCount() {
        var failure = new IllegalStateException("handler broken");
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                world.run(
                                        () -> {
                                            var scope = new Scope();
                                            var zombie = scope.spawn(() -> delay(HOUR));
                                            zombie.onCompletion(end -> fail(failure));
                                            scope.onFinally(each -> world.say("finally"));
                                            suspend();
                                            scope.disposeSafely();
                                        }));
        assertSame(failure, thrown);
        assertEquals(List.of("finally"), world.trail);
    }

    @Test
    void theProgramWaitsForWhatAHandlerOfTheLastEndSpawns() {
        world.run(
                () -> {
                    var last = spawn(() -> delay(SECOND));
                    last.onCompletion(
                            end ->
                                    spawn(
                                            () -> {
                                                delay(SECOND);
                                                world.say("at " + world.elapsed());
                                            }));
                });
        assertEquals(List.of("at PT2S"), world.trail);
    }

    @Test
    void aGracefulShutdownEndsOneThatLoopsOnSuspend() {
        world.run(
                () -> {
                    spawn(ZombieTest::suspendUntilCut);
                    spawn(
                            () -> {
                                suspend();
                                Heddle.shutdown();
                                world.say("asked");
                            });
                });
        assertEquals(List.of("asked"), world.trail);
        assertEquals(List.of(), world.reports());
    }

    private void sayWhenCut(String name, Duration cleanUp) {
        try {
            delay(HOUR);
        } catch (Cancellation thrown) {
            delay(cleanUp);
            world.say(name + " cut: " + thrown.reason());
            throw thrown;
        }
    }
}
