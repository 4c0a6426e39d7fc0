package dev.heddle.test;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.within;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.Action;
import dev.heddle.Cancellation;
import dev.heddle.DeadlockError;
import dev.heddle.Heddle;
import dev.heddle.Promise;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/// Bugs that only a cancellation at the wrong moment shows: each is found, and found again by the
/// line that the failure tells.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CancelTortureBugsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Pattern LINE =
            Pattern.compile("repeat it with \\.only\\(CancelWay\\.(\\w+), (\\d+)\\)");

    /// {@return what torture says of this victim, having said it twice}
    private static AssertionError found(Supplier<? extends CancelTorture.Victim> victims) {
        var torture = CancelTorture.of(victims);
        var found = assertThrows(AssertionError.class, torture::run);
        var line = LINE.matcher(found.getMessage());
        assertTrue(line.find(), found.getMessage());
        var way = CancelWay.valueOf(line.group(1));
        long point = Long.parseLong(line.group(2));
        var again = assertThrows(AssertionError.class, torture.only(way, point)::run);
        assertEquals(found.getMessage(), again.getMessage());
        return found;
    }

    @Test
    void aResourceThatIsNotReleased() {
        var found = found(Unreleased::new);
        assertThat(found).hasMessageContaining("still open");
        assertThat(found.getCause()).hasMessageContaining("still open");
    }

    private static final class Unreleased implements CancelTorture.Victim {
        private boolean open;

        @Override
        public void run(TestWorld world) {
            open = true;
            delay(SECOND);
            open = false;
        }

        @Override
        public void verify() {
            assertEquals("closed", open ? "still open" : "closed");
        }
    }

    @Test
    void aCleanUpThatWaitsTooLongWithoutProtection() {
        var found = found(() -> new CleansUp(false));
        assertThat(found).hasMessageContaining("not flushed");
    }

    @Test
    void theSameWithProtectionIsFine() {
        for (var way : CancelWay.values()) {
            assertEquals(1, CancelTorture.of(() -> new CleansUp(true)).only(way, 1).run());
        }
    }

    private static final class CleansUp implements CancelTorture.Victim {
        private final boolean protects;
        private boolean begun;
        private boolean flushed;

        CleansUp(boolean protects) {
            this.protects = protects;
        }

        @Override
        public void run(TestWorld world) {
            begun = true;
            try {
                delay(SECOND);
            } finally {
                if (protects) {
                    protect(this::flush);
                } else {
                    flush();
                }
            }
        }

        private void flush() {
            delay(SECOND.multipliedBy(2));
            flushed = true;
        }

        @Override
        public void verify() {
            if (begun && !flushed) {
                throw new AssertionError("not flushed");
            }
        }
    }

    @Test
    void aValueThatIsLostWhenItsReceiverIsCancelledAfterItWasWoken() {
        var found = found(LosesValue::new);
        assertThat(found).hasMessageContaining("AFTER_IT_IS_WOKEN").hasMessageContaining("lost");
    }

    /// A box of one place: who is handed a value and cancelled before it runs does not give it
    /// back.
    private static final class LosesValue implements CancelTorture.Victim {
        private final Queue<Promise<String>> waiting = new ArrayDeque<>();
        private final Queue<String> values = new ArrayDeque<>();
        private int taken;
        private boolean sent;

        @Override
        public void run(TestWorld world) {
            protect(
                            () -> {
                                var receiver = spawn(this::receive);
                                delay(SECOND);
                                send();
                                return receiver;
                            })
                    .awaitOutcome();
        }

        private void send() {
            var receiver = waiting.poll();
            sent = true;
            if (receiver == null) {
                values.add("value");
            } else {
                receiver.complete("value");
            }
        }

        private void receive() {
            var promise = new Promise<String>();
            waiting.add(promise);
            try {
                await(promise.deferred());
                taken++;
            } catch (Cancellation cancelled) {
                // Right only if nobody has been here: a promise that is completed holds a value.
                waiting.remove(promise);
                throw cancelled;
            }
        }

        @Override
        public void verify() {
            if (sent && taken + values.size() != 1) {
                throw new AssertionError("lost");
            }
        }
    }

    @Test
    void aPromiseThatNobodyCompletesAnyMore() {
        var found = found(NeverCompleted::new);
        assertThat(found.getCause()).isInstanceOf(DeadlockError.class);
    }

    private static final class NeverCompleted implements CancelTorture.Victim {
        @Override
        public void run(TestWorld world) {
            var promise = new Promise<String>();
            spawn(
                    () -> {
                        delay(SECOND);
                        promise.complete("done");
                    });
            await(promise.deferred());
        }
    }

    @Test
    void aSwallowedCancellationTakesTooLong() {
        var torture = CancelTorture.of(Swallows::new);
        // Within its patience nothing is wrong: it only takes its time.
        torture.patience(Duration.ofDays(1)).only(CancelWay.WHILE_PARKED, 1).run();
        var late =
                assertThrows(
                        AssertionError.class,
                        torture.patience(SECOND).only(CancelWay.WHILE_PARKED, 1)::run);
        assertThat(late)
                .hasMessageContaining("it has not ended after PT2S")
                .hasMessageContaining("CancelTortureBugsTest.java")
                .hasMessageContaining("patience");
    }

    @Test
    void aWaitInALoopForWhatWasCancelledEnds() {
        assertThat(found(() -> new WaitsInALoop(() -> delay(SECOND))))
                .hasMessageContaining("it has not ended after");
    }

    @Test
    void aWaitWithoutTimeForWhatWasCancelledEnds() {
        assertThat(found(() -> new WaitsInALoop(Heddle::suspend)))
                .hasMessageContaining("turns without waiting for anything");
    }

    private record WaitsInALoop(Action pause, AtomicBoolean done) implements CancelTorture.Victim {
        WaitsInALoop(Action pause) {
            this(pause, new AtomicBoolean());
        }

        @Override
        public void run(TestWorld world) throws Exception {
            spawn(
                    () -> {
                        Heddle.suspend();
                        done.set(true);
                    });
            while (!done.get()) {
                pause.run();
            }
        }
    }

    private static final class Swallows implements CancelTorture.Victim {
        @Override
        public void run(TestWorld world) {
            try {
                delay(SECOND);
            } catch (Cancellation swallowed) {
                protect(() -> delay(SECOND.multipliedBy(100)));
            }
        }
    }

    @Test
    void aCoroutineThatStaysBehindWhenItsParentIsCancelled() {
        var found = found(Orphans::new);
        assertThat(found).hasMessageContaining("orphan");
    }

    private static final class Orphans implements CancelTorture.Victim {
        @Override
        public void run(TestWorld world) {
            var orphan = spawn("orphan", () -> delay(SECOND.multipliedBy(3)));
            try {
                within(SECOND.multipliedBy(10), () -> delay(SECOND));
            } catch (Cancellation ignored) {
                // Goes on without stopping the other one.
                return;
            }
            await(orphan);
        }
    }

    @Test
    void aBugThatShowsWithoutAnyCancellationIsItself() {
        var bug = new AssertionError("always");
        assertSame(
                bug,
                assertThrows(
                        AssertionError.class,
                        () ->
                                CancelTorture.of(
                                                () ->
                                                        _ -> {
                                                            delay(SECOND);
                                                            throw bug;
                                                        })
                                        .run()));
    }

    @Test
    void theLineNamesTheSeed() {
        var found =
                assertThrows(AssertionError.class, CancelTorture.of(Unreleased::new).seed(12)::run);
        assertThat(found).hasMessageContaining(".seed(12L).only(CancelWay.");
    }
}
