package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.mapEach;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;

/// A real failure is never hidden by a cancellation: it wins, and of several all are there.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class FailureBelowCancellationTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final IllegalStateException dirty = new IllegalStateException("clean-up failed");

    @HeddleTest(seeds = 20)
    void aChildThatFailsInItsCleanUpFailsItsCancelledHost() {
        var host = spawn(() -> Scope.run(block -> block.spawn(this::failInCleanUp))).observed();
        delay(SECOND);
        Throwable error = failure(host.cancelAndAwait("stop"));
        assertSame(dirty, error);
        assertCancelledBelow("stop", error);
    }

    @HeddleTest(seeds = 20)
    void alsoIfTheHostWasInTheBody() {
        var host =
                spawn(
                                () ->
                                        Scope.run(
                                                block -> {
                                                    block.spawn(this::failInCleanUp);
                                                    delay(HOUR);
                                                }))
                        .observed();
        delay(SECOND);
        assertSame(dirty, failure(host.cancelAndAwait("stop")));
    }

    @HeddleTest(seeds = 20)
    void alsoIfItsScopeWasDisposedOf() {
        var scope = new Scope();
        var host = scope.spawn(() -> Scope.run(block -> block.spawn(this::failInCleanUp)));
        host.observed();
        delay(SECOND);
        scope.dispose();
        assertSame(dirty, failure(host.awaitOutcome()));
    }

    @Test
    void alsoIfTheProgramIsShutDown() {
        var world = World.virtual();
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                world.run(
                                        () ->
                                                Scope.run(
                                                        block -> {
                                                            block.spawn(this::failInCleanUp);
                                                            delay(SECOND);
                                                            Heddle.shutdown();
                                                            delay(HOUR);
                                                        })));
        assertSame(dirty, thrown);
    }

    @HeddleTest
    void nobodyWhoLooksMeansThatItIsReported(TestWorld world) {
        var scope = new Scope();
        Throwable[] got = new Throwable[1];
        scope.onException((error, _) -> got[0] = error);
        var host = scope.spawn(() -> Scope.run(block -> block.spawn(this::failInCleanUp)));
        delay(SECOND);
        host.cancel("stop");
        scope.awaitCompletion();
        assertSame(dirty, got[0]);
    }

    @HeddleTest(seeds = 20)
    void inNestedBlocksTheOuterFailureKeepsTheInnerOne() {
        var outer = new IllegalStateException("outer");
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                Scope.run(
                                        around -> {
                                            around.spawn(
                                                    () -> {
                                                        delay(SECOND);
                                                        throw outer;
                                                    });
                                            Scope.run(inner -> inner.spawn(this::failInCleanUp));
                                        }));
        assertSame(outer, thrown);
        assertArrayEquals(new Throwable[] {dirty}, thrown.getSuppressed());
    }

    @HeddleTest(seeds = 20)
    void aLimitDoesNotHideIt() {
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () -> within(SECOND, () -> Scope.run(in -> in.spawn(this::failInCleanUp))));
        assertSame(dirty, thrown);
        assertCancelledBelow("not done within PT1S", thrown);
    }

    @HeddleTest
    void aBodyThatFailsInItsCleanUpNamesTheLimit() {
        var thrown =
                assertThrows(
                        IllegalStateException.class, () -> within(SECOND, this::failInCleanUp));
        assertSame(dirty, thrown);
        assertCancelledBelow("not done within PT1S", thrown);
    }

    @HeddleTest(seeds = 20)
    void ofSeveralFailuresAllAreThere() {
        var host =
                spawn(
                                () ->
                                        Scope.run(
                                                block -> {
                                                    for (int i = 0; i < 3; i++) {
                                                        String text = "dirty " + i;
                                                        block.spawn(() -> failWithText(text));
                                                    }
                                                }))
                        .observed();
        delay(SECOND);
        Throwable error = failure(host.cancelAndAwait("stop"));
        var failures =
                List.of(error.getSuppressed()).stream()
                        .filter(each -> !(each instanceof Cancellation))
                        .toList();
        assertEquals(2, failures.size());
        assertCancelledBelow("stop", error);
    }

    @HeddleTest(seeds = 20)
    void aCheckedFailureArrivesAsTheCauseOfACompletionException() {
        var checked = new IOException("disk full");
        var host = spawn(() -> Scope.run(block -> block.spawn(() -> failChecked(checked))));
        host.observed();
        delay(SECOND);
        Throwable error = failure(host.cancelAndAwait("stop"));
        assertInstanceOf(CompletionException.class, error);
        assertSame(checked, error.getCause());
    }

    @HeddleTest(seeds = 20)
    void itemsOfMapEachTellItToo() {
        var host =
                spawn(
                                () ->
                                        mapEach(
                                                List.of(1, 2),
                                                2,
                                                _ -> {
                                                    failInCleanUp();
                                                    return 1;
                                                }))
                        .observed();
        delay(SECOND);
        assertSame(dirty, failure(host.cancelAndAwait("stop")));
    }

    @HeddleTest(seeds = 20)
    void childrenThatOnlyEndByTheCancellationLeaveItOne() {
        var host = spawn(() -> Scope.run(block -> block.spawn(() -> delay(HOUR))));
        delay(SECOND);
        assertTrue(host.cancelAndAwait("stop") instanceof Outcome.Cancelled);
    }

    private void failInCleanUp() {
        try {
            delay(HOUR);
        } finally {
            fail(dirty);
        }
    }

    private static void failWithText(String text) {
        try {
            delay(HOUR);
        } finally {
            fail(new IllegalStateException(text));
        }
    }

    private static void failChecked(IOException error) throws IOException {
        try {
            delay(HOUR);
        } catch (Cancellation cancelled) {
            error.addSuppressed(cancelled);
            throw error;
        }
    }

    private static void fail(RuntimeException error) {
        throw error;
    }

    private static Throwable failure(Outcome<?> outcome) {
        return assertInstanceOf(Outcome.Failure.class, outcome).error();
    }

    private static void assertCancelledBelow(String reason, Throwable error) {
        assertTrue(
                List.of(error.getSuppressed()).stream()
                        .anyMatch(
                                each ->
                                        each instanceof Cancellation c
                                                && c.reason().equals(reason)),
                () -> List.of(error.getSuppressed()).toString());
    }
}
