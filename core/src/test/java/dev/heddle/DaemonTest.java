package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Coroutines that serve the others in a block and end with them.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class DaemonTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> trail = new ArrayList<>();

    @HeddleTest(seeds = 20)
    void itIsCancelledAndWaitedForWhenTheOthersHaveEnded(TestWorld world) {
        Scope.run(
                block -> {
                    block.spawnDaemon("ticker", () -> sayWhenCut("ticker"));
                    block.spawn(() -> delay(SECOND));
                    block.spawn(() -> delay(SECOND.multipliedBy(2)));
                });
        assertEquals(List.of("ticker cut"), trail);
        assertEquals(SECOND.multipliedBy(2).plusMillis(500), world.elapsed());
        assertEquals(List.of(), world.reports());
    }

    @HeddleTest(seeds = 20)
    void withoutOthersItIsCancelledWhenTheBodyHasEnded(TestWorld world) {
        String value =
                Scope.call(
                        block -> {
                            block.spawnDaemon(() -> sayWhenCut("ticker"));
                            delay(SECOND);
                            return "value";
                        });
        assertEquals("value", value);
        assertEquals(SECOND.plusMillis(500), world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void whatItSpawnsEndsWithItAndItsOwnBlocksDoNotCountAsOthers() {
        Scope.run(
                block -> {
                    block.spawnDaemon(
                            () -> {
                                spawn(() -> sayWhenCut("grandchild"));
                                Scope.run(in -> in.spawn(() -> sayWhenCut("in its block")));
                            });
                    block.spawn(() -> delay(SECOND));
                });
        assertEquals(
                List.of("grandchild cut", "in its block cut"), trail.stream().sorted().toList());
    }

    @HeddleTest(seeds = 20)
    void oneThatEndsBeforeTheOthersIsNoMatter(TestWorld world) {
        Scope.run(
                block -> {
                    block.spawnDaemon(() -> trail.add("done"));
                    block.spawn(() -> delay(SECOND));
                });
        assertEquals(List.of("done"), trail);
        assertEquals(SECOND, world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void itsFailureFailsTheBlock() {
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                Scope.run(
                                        block -> {
                                            block.spawnDaemon(DaemonTest::failSoon);
                                            block.spawn(() -> sayWhenCut("child"));
                                        }));
        assertEquals("on purpose", thrown.getMessage());
        assertEquals(List.of("child cut"), trail);
    }

    @HeddleTest(seeds = 20)
    void itsFailureInCleanUpIsThrownToo() {
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                Scope.run(
                                        block -> {
                                            block.spawnDaemon(DaemonTest::failInCleanUp);
                                            delay(SECOND);
                                        }));
        assertEquals("on purpose", thrown.getMessage());
    }

    @HeddleTest(seeds = 20)
    void ofASupervisedBlockItsFailureGoesToTheHandlerAndTheOtherDaemonsGoOn() {
        Scope.supervise(
                (error, who) -> trail.add(who.name() + ": " + error.getMessage()),
                block -> {
                    block.spawnDaemon("fails", DaemonTest::failSoon);
                    block.spawnDaemon(() -> sayWhenCut("other"));
                    block.spawn(() -> delay(SECOND.multipliedBy(3)));
                });
        assertEquals(List.of("fails: on purpose", "other cut"), trail);
    }

    @HeddleTest(seeds = 20)
    void itMayWaitForItsHostWithoutBeingADeadlock(TestWorld world) {
        var host =
                spawn(
                        () -> {
                            var self = Heddle.current();
                            Scope.run(
                                    block -> {
                                        block.spawnDaemon(self::await);
                                        block.spawn(() -> delay(SECOND));
                                    });
                        });
        assertInstanceOf(Outcome.Success.class, host.awaitOutcome());
        assertEquals(SECOND, world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void cancellingTheHostCancelsItToo(TestWorld world) {
        var host =
                spawn(
                        () ->
                                Scope.run(
                                        block -> {
                                            block.spawnDaemon(() -> sayWhenCut("daemon"));
                                            block.spawn(() -> delay(HOUR));
                                        }));
        delay(SECOND);
        assertInstanceOf(Outcome.Cancelled.class, host.cancelAndAwait("stop"));
        assertEquals(List.of("daemon cut"), trail);
    }

    @HeddleTest
    void outsideABlockItIsRefused() {
        try (var scope = new Scope()) {
            var thrown =
                    assertThrows(IllegalStateException.class, () -> scope.spawnDaemon(() -> {}));
            assertTrue(thrown.getMessage().contains("Scope.run"), thrown.getMessage());
        }
        Scope.run(
                block -> {
                    block.cancel("closed");
                    assertThrows(IllegalStateException.class, () -> block.spawnDaemon(() -> {}));
                });
    }

    private void sayWhenCut(String name) {
        try {
            delay(HOUR);
        } finally {
            delay(Duration.ofMillis(500));
            trail.add(name + " cut");
        }
    }

    private static void failInCleanUp() {
        try {
            delay(HOUR);
        } finally {
            failSoon();
        }
    }

    private static void failSoon() {
        delay(Duration.ofMillis(10));
        throw new IllegalStateException("on purpose");
    }
}
