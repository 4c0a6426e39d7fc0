package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.event.TimerEvent;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;

/// When everybody waits and nothing can wake anybody, all are cancelled and the program says so.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class DeadlockTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final World world = World.virtual();

    private DeadlockError runIntoDeadlock(VoidOp<RuntimeException> main) {
        return assertThrows(DeadlockError.class, () -> world.run(main));
    }

    private String onlyReport() {
        var texts = world.reports(Report.Kind.DEADLOCK);
        assertEquals(1, texts.size(), texts.toString());
        return texts.getFirst();
    }

    @Test
    void waitingForAPromiseThatNobodyKeepsCancelsTheWaiterAndRunThrowsTheReport() {
        var error =
                runIntoDeadlock(
                        () -> {
                            try {
                                await(new Promise<String>().deferred());
                            } catch (Cancellation cancelled) {
                                world.say("cancelled: " + cancelled.reason());
                            }
                            world.say("goes on");
                        });

        assertEquals(
                List.of("cancelled: deadlock: nothing can wake this coroutine", "goes on"),
                world.trail);
        assertEquals(onlyReport(), error.getMessage());
        assertEquals(1, error.members().size());
        assertTrue(
                error.members()
                        .getFirst()
                        .matches(
                                "Coroutine #1 \"main\", spawned at \\S+, suspended at"
                                    + " DeadlockTest.java:\\d+, waits for Promise\\(pending\\)"),
                error.members().getFirst());
        assertEquals(Duration.ZERO, world.elapsed());
    }

    @Test
    void theReportSaysThatAPlainPromiseDoesNotCount() {
        runIntoDeadlock(() -> await(new Promise<String>().deferred()));

        assertTrue(onlyReport().contains("Promise.external()"), onlyReport());
    }

    @Test
    void theReportNamesEveryWaitingCoroutine() {
        var error =
                runIntoDeadlock(
                        () -> {
                            var never = new Promise<String>().deferred();
                            spawn("first", () -> await(never));
                            var second = spawn("second", () -> await(never));
                            await(second);
                        });

        assertEquals(3, error.members().size());
        String text = onlyReport();
        assertTrue(text.contains("\"main\""), text);
        assertTrue(text.contains("\"first\""), text);
        assertTrue(text.contains("waits for Coroutine #3 \"second\""), text);
    }

    @Test
    void ofManyTheReportShowsTheFirstAndTellsTheRestByNumber() {
        int count = 1000;

        var error =
                runIntoDeadlock(
                        () -> {
                            var never = new Promise<String>().deferred();
                            for (int i = 1; i < count; i++) {
                                spawn(() -> await(never));
                            }
                            await(never);
                        });

        assertEquals(count, error.members().size());
        assertTrue(onlyReport().contains("and 975 more"), onlyReport());
    }

    @Test
    void aHiddenTimerDoesNotPreventIt() {
        runIntoDeadlock(
                () -> {
                    var tick = TimerEvent.every(Heddle.current().loop(), SECOND);
                    tick.hide();
                    tick.start();
                    try {
                        await(new Promise<String>().deferred());
                    } finally {
                        tick.stop();
                    }
                });

        assertEquals(Duration.ZERO, world.elapsed());
    }

    @Test
    void aVisibleTimerDoes() {
        world.run(
                () -> {
                    var promise = new Promise<String>();
                    Heddle.current().loop().after(SECOND, () -> promise.complete("kept"));
                    world.say(await(promise.deferred()));
                });

        assertEquals(List.of("kept"), world.trail);
        assertEquals(List.of(), world.reports());
    }

    @Test
    void anExternalPromiseIsNoDeadlock() {
        var real = World.real();
        real.run(
                () -> {
                    Promise<String> promise = Promise.external();
                    Thread.ofPlatform().start(() -> promise.complete("from outside"));
                    real.say(await(promise.deferred()));
                });

        assertEquals(List.of("from outside"), real.trail);
        assertEquals(List.of(), real.reports(Report.Kind.DEADLOCK));
    }

    @Test
    void offloadedWorkIsNoDeadlock() {
        var real = World.real();
        real.run(() -> real.say(Heddle.offload(() -> "worked")));

        assertEquals(List.of("worked"), real.trail);
        assertEquals(List.of(), real.reports(Report.Kind.DEADLOCK));
    }

    @Test
    void protectDoesNotPreventIt() {
        runIntoDeadlock(
                () ->
                        protect(
                                () -> {
                                    try {
                                        await(new Promise<String>().deferred());
                                    } finally {
                                        world.say("woken inside the shield");
                                    }
                                }));

        assertEquals(List.of("woken inside the shield"), world.trail);
        assertEquals(Duration.ZERO, world.elapsed());
    }

    @Test
    void whoWaitsAgainInsideAShieldIsWokenAgainAndAbandonedInTheEnd() {
        runIntoDeadlock(
                () ->
                        protect(
                                () -> {
                                    while (world.trail.size() < 1000) {
                                        waitInVain();
                                    }
                                }));

        assertEquals(8, world.trail.size());
        assertEquals(9, world.reports(Report.Kind.DEADLOCK).size());
        assertEquals(1, world.reports(Report.Kind.ABANDONED).size());
    }

    private void waitInVain() {
        try {
            await(new Promise<String>().deferred());
        } catch (Cancellation again) {
            world.say("again");
        }
    }

    @Test
    void whoWaitsAgainWithoutAShieldGetsItsCancellationAgainWhenTheWindowEnds() {
        runIntoDeadlock(
                () -> {
                    for (int i = 0; i < 3; i++) {
                        waitInVain();
                    }
                });

        assertEquals(SECOND.multipliedBy(2), world.elapsed());
        assertEquals(2, world.reports(Report.Kind.UNANSWERED).size());
        assertEquals(1, world.reports(Report.Kind.DEADLOCK).size());
    }

    @Test
    void cleanUpMayWaitForTimeAfterADeadlock() {
        runIntoDeadlock(
                () -> {
                    try {
                        await(new Promise<String>().deferred());
                    } finally {
                        delay(SECOND.dividedBy(2));
                        world.say("cleaned up");
                    }
                });

        assertEquals(List.of("cleaned up"), world.trail);
        assertEquals(SECOND.dividedBy(2), world.elapsed());
    }

    @Test
    void zombiesThatWaitForNothingRaiseNoErrorAndDoNotHoldUpTheEnd() {
        world.run(
                () -> {
                    var scope = new Scope();
                    var never = new Promise<String>().deferred();
                    scope.spawn(() -> await(never));
                    scope.spawn(() -> await(never));
                    suspend();
                    scope.close();
                });

        assertEquals(List.of(), world.reports(Report.Kind.DEADLOCK));
        assertEquals(Duration.ZERO, world.elapsed());
    }

    @Test
    void whatAZombieWaitsForCounts() {
        world.run(
                () -> {
                    var promise = new Promise<String>();
                    var scope = new Scope();
                    scope.spawn(
                            () -> {
                                delay(SECOND);
                                promise.complete("by a zombie");
                            });
                    suspend();
                    scope.close();
                    world.say(await(promise.deferred()));
                });

        assertEquals(List.of("by a zombie"), world.trail);
    }

    @Test
    void deadlockedChildrenOfAScopeAreAllCancelled() {
        runIntoDeadlock(
                () ->
                        Scope.run(
                                _ -> {
                                    var never = new Promise<String>().deferred();
                                    for (int i = 0; i < 3; i++) {
                                        spawn(() -> endedBy(never));
                                    }
                                }));

        assertEquals(List.of("cancelled", "cancelled", "cancelled"), world.trail);
    }

    private void endedBy(Deferred<String> never) {
        try {
            await(never);
        } catch (Cancellation cancelled) {
            world.say("cancelled");
            throw cancelled;
        }
    }

    @Test
    void aCoroutineInACallOfTheJdkIsReportedAfterAWhileAndNothingIsRaised() throws Exception {
        var queue = new SynchronousQueue<String>();
        var reported = new CountDownLatch(1);
        // Time stands still once the report is there: then the other thread's turn has come.
        world.sim().holdTimeWhile(() -> reported.getCount() == 0);
        var other =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        reported.await();
                                        queue.put("at last");
                                    } catch (InterruptedException cause) {
                                        throw new AssertionError(cause);
                                    }
                                });

        world.with(options -> options.onReport(report -> keep(report, reported)));
        world.run(
                () -> {
                    var promise = new Promise<String>();
                    spawn(
                            "in the JDK",
                            () -> {
                                promise.complete(queue.take());
                            });
                    world.say(await(promise.deferred()));
                });
        other.join();

        assertEquals(List.of("report", "at last"), world.trail);
        assertEquals(Duration.ofSeconds(10), world.elapsed());
    }

    private void keep(Report report, CountDownLatch reported) {
        assertEquals(Report.Kind.DEADLOCK, report.kind());
        assertTrue(report.text().startsWith("perhaps a deadlock: for PT10S"), report.text());
        assertTrue(report.text().contains("\"in the JDK\""), report.text());
        assertTrue(report.text().contains("waits for a call of the JDK"), report.text());
        world.say("report");
        reported.countDown();
    }

    @Test
    void waitingForEverInAShieldWhileCleaningUpIsADeadlockToo() {
        runIntoDeadlock(
                () -> {
                    var never = new Promise<String>().deferred();
                    try {
                        await(never);
                    } finally {
                        world.say("cleans up");
                        try {
                            Heddle.protect(() -> await(never));
                        } catch (Cancellation forced) {
                            world.say("is told again");
                        }
                    }
                });

        assertEquals(List.of("cleans up", "is told again"), world.trail);
        assertEquals(2, world.reports(Report.Kind.DEADLOCK).size());
    }
}
