package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.SimReactor;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Who waits for a moment does not wait for a crowd that computes. In virtual time, in which
/// computing takes as long as a test says.
///
/// Not with the kit: in a seeded run a turn is one task, and the kit's probe keeps coroutines from
/// handing their thread on, of which a turn must not lose sight.
///
/// **Thread:** owner (the test runner).
@Tag("CT-07")
final class BusyLoopTest {
    private static final long MILLI = 1_000_000;
    private static final Duration TICK = Duration.ofMillis(10);
    private static final int CROWD = 1_000;

    private final SimReactor sim = new SimReactor();
    private final List<Integer> trail = new ArrayList<>();
    private final List<Report> reports = new ArrayList<>();
    private long computed;

    private void run(VoidOp<RuntimeException> main) {
        Heddle.with()
                .loop(loop -> loop.reactor(sim, this::nanos))
                .onReport(reports::add)
                .blockedAfter(Duration.ZERO)
                .run(main);
    }

    private long nanos() {
        return sim.nanos() + computed;
    }

    private void compute(long millis) {
        computed += millis * MILLI;
    }

    private long worstTick(Runnable crowd) {
        var late = new ArrayList<Long>();
        run(
                () -> {
                    var ticker = spawn(() -> tick(late));
                    suspend();
                    crowd.run();
                    ticker.cancelAndAwait("over");
                });
        assertTrue(late.size() >= 50, () -> late.size() + " ticks");
        return late.stream().mapToLong(each -> each / MILLI).max().orElseThrow();
    }

    private void tick(List<Long> late) {
        while (true) {
            long due = nanos() + TICK.toNanos();
            delay(TICK);
            late.add(nanos() - due);
        }
    }

    @Test
    void aDelayBesideAThousandThatComputeAMillisecondEachIsLateByFiveAtMost() {
        long worst =
                worstTick(
                        () ->
                                Scope.run(
                                        in -> {
                                            for (int i = 0; i < CROWD; i++) {
                                                int number = i;
                                                in.spawn(() -> computeAs(number));
                                            }
                                        }));

        assertTrue(worst <= 5, "late by " + worst + " ms");
        assertEquals(IntStream.range(0, CROWD).boxed().toList(), trail, "in their order");
    }

    private void computeAs(int number) {
        compute(1);
        trail.add(number);
    }

    @Test
    void aDelayBesideAThousandThatComputeAgainAndAgainIsLateByFiveAtMost() {
        long worst =
                worstTick(
                        () ->
                                Scope.run(
                                        in -> {
                                            for (int i = 0; i < 100; i++) {
                                                int number = i;
                                                in.spawn(() -> computeAgain(number));
                                            }
                                        }));

        assertTrue(worst <= 5, "late by " + worst + " ms");
        var expected = new ArrayList<Integer>();
        for (int round = 0; round < 10; round++) {
            expected.addAll(IntStream.range(0, 100).boxed().toList());
        }
        assertEquals(expected, trail, "nobody twice before everybody once");
    }

    private void computeAgain(int number) {
        for (int round = 0; round < 10; round++) {
            computeAs(number);
            suspend();
        }
    }

    @Test
    void aDelayBesideAThousandThatWakeAtOneMomentIsLateByFiveAtMost() {
        long worst =
                worstTick(
                        () ->
                                Scope.run(
                                        in -> {
                                            for (int i = 0; i < CROWD; i++) {
                                                int number = i;
                                                in.spawn(
                                                        () -> {
                                                            delay(Duration.ofMillis(25));
                                                            computeAs(number);
                                                        });
                                            }
                                        }));

        assertTrue(worst <= 5, "late by " + worst + " ms");
        assertEquals(CROWD, trail.size());
    }

    @Test
    void aDelayBesideAFewThatComputeAndHardlyWaitIsLateByFiveAtMost() {
        long worst =
                worstTick(
                        () ->
                                Scope.run(
                                        in -> {
                                            for (int i = 0; i < 20; i++) {
                                                int number = i;
                                                in.spawn(() -> computeAndHardlyWait(number));
                                            }
                                        }));

        assertTrue(worst <= 5, "late by " + worst + " ms");
        var expected = new ArrayList<Integer>();
        for (int round = 0; round < 50; round++) {
            expected.addAll(IntStream.range(0, 20).boxed().toList());
        }
        assertEquals(expected, trail, "nobody twice before everybody once");
    }

    private void computeAndHardlyWait(int number) {
        for (int round = 0; round < 50; round++) {
            computeAs(number);
            delay(Duration.ofNanos(1));
        }
    }

    @Test
    void aLimitEndsInTimeBesideAThousandThatCompute() {
        var ended = new ArrayList<Long>();
        run(
                () -> {
                    var never = new Promise<String>();
                    spawn(
                            () -> {
                                assertThrows(
                                        OperationCancelledException.class,
                                        () -> within(TICK, () -> never.deferred().await()));
                                ended.add(nanos() / MILLI);
                            });
                    suspend();
                    Scope.run(
                            in -> {
                                for (int i = 0; i < CROWD; i++) {
                                    int number = i;
                                    in.spawn(() -> computeAs(number));
                                }
                            });
                    never.complete("");
                });

        assertEquals(1, ended.size());
        assertTrue(ended.getFirst() <= 15, () -> "ended at " + ended);
    }

    @Test
    void aTimeoutOfAWaitEndsInTimeBesideAThousandThatCompute() {
        var ended = new ArrayList<Long>();
        run(
                () -> {
                    var never = new Promise<String>();
                    spawn(
                            () -> {
                                assertThrows(
                                        OperationCancelledException.class,
                                        () -> Heddle.await(never.deferred(), TICK));
                                ended.add(nanos() / MILLI);
                            });
                    suspend();
                    Scope.run(
                            in -> {
                                for (int i = 0; i < CROWD; i++) {
                                    int number = i;
                                    in.spawn(() -> computeAs(number));
                                }
                            });
                    never.complete("");
                });

        assertEquals(1, ended.size());
        assertTrue(ended.getFirst() <= 18, () -> "ended at " + ended);
    }

    @Test
    void theCrowdComesForwardBesideTimersThatTakeAllTheTime() {
        run(
                () -> {
                    var greedy =
                            spawn(
                                    () -> {
                                        while (true) {
                                            delay(Duration.ofMillis(1));
                                            compute(5);
                                        }
                                    });
                    suspend();
                    Scope.run(
                            in -> {
                                for (int i = 0; i < 100; i++) {
                                    int number = i;
                                    in.spawn(() -> computeAs(number));
                                }
                            });
                    greedy.cancelAndAwait("over");
                });

        assertEquals(IntStream.range(0, 100).boxed().toList(), trail);
        assertTrue(nanos() <= 450 * MILLI, () -> "took " + nanos() / MILLI + " ms");
    }

    // Each looks once; the first finds a loop that keeps up, the fifth has seen enough.
    @Test
    void aLoopThatIsBehindForLongIsReportedOnceWithThoseWhoRan() {
        runBusy(10, 1);

        assertEquals(1, reports.size(), reports::toString);
        var report = reports.getFirst();
        assertEquals(Report.Kind.LAGGING_LOOP, report.kind());
        assertTrue(report.text().contains("in 4 looks: Coroutine #"), report.text());
        assertTrue(report.text().contains(" \"busy 1\", spawned at "), report.text());
        assertTrue(report.text().contains("; and 1 more"), report.text());
        assertTrue(
                report.stack().stream().anyMatch(frame -> frame.getMethodName().equals("lookBusy")),
                report.full());
    }

    @Test
    void aLoopWhoseRoundsAreShortIsNotReported() {
        runBusy(3, 20);

        assertEquals(List.of(), reports);
    }

    private void runBusy(int count, int rounds) {
        run(
                () -> {
                    var watchdog = new Watchdog(Heddle.current().scheduler(), 100 * MILLI);
                    Scope.run(
                            in -> {
                                for (int i = 0; i < count; i++) {
                                    in.spawn("busy " + i, () -> lookBusy(watchdog, rounds));
                                }
                            });
                });
    }

    private void lookBusy(Watchdog watchdog, int rounds) {
        for (int i = 0; i < rounds; i++) {
            compute(3);
            watchdog.look();
            suspend();
        }
    }
}
