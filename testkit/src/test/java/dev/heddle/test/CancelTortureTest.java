package dev.heddle.test;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.Cancellation;
import dev.heddle.Promise;
import dev.heddle.Scope;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// Which points are tortured and in which ways; that good scenarios survive it.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CancelTortureTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /// A victim without a promise of its own.
    private static Supplier<CancelTorture.Victim> victim(Scenario scenario) {
        return () -> scenario::run;
    }

    private static void threeDelays(TestWorld world) {
        for (int i = 0; i < 3; i++) {
            delay(SECOND);
        }
    }

    @ParameterizedTest
    @EnumSource(CancelWay.class)
    void everyWayIsReachedAtEveryDelay(CancelWay way) {
        for (int point = 1; point <= 3; point++) {
            assertEquals(
                    1,
                    CancelTorture.of(victim(CancelTortureTest::threeDelays))
                            .only(way, point)
                            .run());
        }
    }

    @Test
    void allWaysTogetherAreSevenForEachPoint() {
        int tried = CancelTorture.of(victim(CancelTortureTest::threeDelays)).run();
        assertEquals(7 * 3, tried);
    }

    @Test
    void whatIsCancelledTwiceSeesItOnceAndMayCleanUp() {
        var seen = new ArrayList<String>();
        var torture =
                CancelTorture.of(
                        victim(
                                _ -> {
                                    try {
                                        delay(SECOND);
                                    } catch (Cancellation first) {
                                        seen.add("first");
                                        cleanUp(seen);
                                        throw first;
                                    }
                                }));
        torture.only(CancelWay.WHILE_PARKED, 1).run();
        torture.only(CancelWay.TWICE, 1).run();
        assertEquals(List.of("first", "cleaned", "first", "cleaned"), seen);
    }

    private static void cleanUp(List<String> seen) {
        try {
            delay(SECOND.dividedBy(10));
            seen.add("cleaned");
        } catch (Cancellation second) {
            seen.add("second");
            throw second;
        }
    }

    @Test
    void whatWasWokenIsCancelledBeforeItSeesWhy() {
        var seen = new ArrayList<String>();
        CancelTorture.of(
                        victim(
                                world -> {
                                    var promise = new Promise<String>();
                                    var reader = spawn(() -> seen.add(await(promise.deferred())));
                                    delay(SECOND);
                                    promise.complete("value");
                                    seen.add("completed");
                                    reader.awaitOutcome();
                                    seen.add("over at " + world.elapsed());
                                }))
                .only(CancelWay.AFTER_IT_IS_WOKEN, 2)
                .run();
        // Undisturbed first, then with the reader cancelled although its promise was completed.
        assertEquals(
                List.of("completed", "value", "over at PT1S", "completed", "over at PT1S"), seen);
    }

    @Test
    void aTimerAndTheCancellationComeInTheSameTick() {
        var times = new ArrayList<Duration>();
        CancelTorture.of(
                        victim(
                                world -> {
                                    try {
                                        delay(SECOND);
                                    } catch (Cancellation cancelled) {
                                        times.add(world.elapsed());
                                        throw cancelled;
                                    }
                                }))
                .only(CancelWay.WITH_A_TIMER, 1)
                .run();
        assertEquals(List.of(SECOND), times);
    }

    @Test
    void aWholeScopeIsDisposedOf() {
        var ended = new ArrayList<String>();
        CancelTorture.of(
                        victim(
                                _ -> {
                                    try (var scope = new Scope()) {
                                        scope.spawn(() -> waits("brother", ended));
                                        scope.spawn(() -> waits("sister", ended));
                                        delay(SECOND.multipliedBy(2));
                                    }
                                }))
                .only(CancelWay.BY_ITS_SCOPE, 3)
                .run();
        assertThat(ended)
                .containsExactlyInAnyOrder(
                        "brother ended", "sister ended", "brother cancelled", "sister cancelled");
    }

    private static void waits(String name, List<String> ended) {
        try {
            delay(SECOND);
            ended.add(name + " ended");
        } catch (Cancellation cancelled) {
            ended.add(name + " cancelled");
            throw cancelled;
        }
    }

    @Test
    void theEndOfTheProgramReachesEverybody() {
        var ended = new ArrayList<String>();
        CancelTorture.of(
                        victim(
                                _ -> {
                                    spawn(() -> waits("child", ended));
                                    waits("main", ended);
                                }))
                .only(CancelWay.BY_SHUTDOWN, 2)
                .run();
        assertThat(ended)
                .containsExactlyInAnyOrder(
                        "main ended", "child ended", "main cancelled", "child cancelled");
    }

    @Test
    void everyRunHasAVictimOfItsOwnThatIsVerified() {
        var verified = new ArrayList<Integer>();
        int tried = CancelTorture.of(() -> new Counted(verified)).run();
        // One more for the run that counts the points.
        assertThat(verified).hasSize(tried + 1);
        assertThat(verified).allSatisfy(runs -> assertEquals(1, runs));
    }

    private static final class Counted implements CancelTorture.Victim {
        private final List<Integer> verified;
        private int runs;

        Counted(List<Integer> verified) {
            this.verified = verified;
        }

        @Override
        public void run(TestWorld world) {
            runs++;
            delay(SECOND);
        }

        @Override
        public void verify() {
            verified.add(runs);
        }
    }

    @Test
    void aShareOfThePointsIsDrawnFromTheSeed() {
        Scenario hundred =
                _ -> {
                    for (int i = 0; i < 100; i++) {
                        suspend();
                    }
                };
        var torture = CancelTorture.of(victim(hundred));
        int all = torture.run();
        int quarter = torture.percent(25).run();
        assertThat(quarter).isBetween(all / 6, all / 3);
        assertEquals(quarter, torture.percent(25).run());
    }

    @Test
    void aGoodScenarioSurvivesUnderManySeeds() {
        for (int seed = 0; seed < 30; seed++) {
            CancelTorture.of(GoodTransfer::new).seed(seed).run();
        }
    }

    /// Takes from one account and gives to another, whoever is cancelled.
    private static final class GoodTransfer implements CancelTorture.Victim {
        private int mine = 10;
        private int yours;

        @Override
        public void run(TestWorld world) {
            var one = spawn(this::transfer);
            var two = spawn(this::transfer);
            one.awaitOutcome();
            two.awaitOutcome();
        }

        private void transfer() {
            delay(SECOND);
            protect(
                    () -> {
                        mine--;
                        delay(SECOND);
                        yours++;
                    });
        }

        @Override
        public void verify() {
            assertEquals(10, mine + yours);
        }
    }

    @Test
    void whatNeverSuspendsCannotBeTortured() {
        var thrown =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> CancelTorture.of(victim(_ -> {})).run());
        assertThat(thrown).hasMessageContaining("never suspends");
    }

    @Test
    void aPointThatThereIsNotIsAMistake() {
        var torture = CancelTorture.of(victim(CancelTortureTest::threeDelays));
        for (long point : new long[] {0, -1, 1_000}) {
            var thrown =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> torture.only(CancelWay.WHILE_PARKED, point).run());
            assertThat(thrown).hasMessageContaining("" + point);
        }
    }

    @Test
    void mistakesInTheSettingsAreRefused() {
        var torture = CancelTorture.of(victim(CancelTortureTest::threeDelays));
        assertThrows(IllegalArgumentException.class, () -> torture.percent(0));
        assertThrows(IllegalArgumentException.class, () -> torture.percent(101));
        assertThrows(IllegalArgumentException.class, () -> torture.patience(SECOND.negated()));
        assertThrows(NullPointerException.class, () -> CancelTorture.of(null));
        assertThrows(NullPointerException.class, () -> torture.only(null, 1));
    }
}
