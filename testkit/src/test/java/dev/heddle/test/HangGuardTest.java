package dev.heddle.test;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.spawn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.Heddle;
import dev.heddle.Promise;
import dev.heddle.loop.Loop;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Tests that do not end: they are given up, and what they were doing is shown.
///
/// These need real time to pass, a second each.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HangGuardTest {
    @Test
    void aWaitForAnotherThreadThatNeverComesShowsAllStacks() {
        var failure = Fixture.failureOf(WaitsForAThread.class);
        assertThat(failure)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("the test hangs: it has not ended within PT1S")
                .hasMessageContaining("main")
                .hasMessageContaining("reader")
                .hasMessageContaining("WaitsForAThread.readsFromNobody");
        assertEquals(
                "@HeddleTest(seed = 0L, schedule = Schedule.FIFO, virtualTime = false,"
                        + " limitSeconds = 1)",
                Fixture.replayOf(failure));
    }

    static class WaitsForAThread {
        @HeddleTest(virtualTime = false, limitSeconds = 1)
        void hangs() {
            await(spawn("reader", WaitsForAThread::readsFromNobody));
        }

        private static void readsFromNobody() {
            await(Promise.external().deferred());
        }
    }

    @Test
    void aWaitForAnotherThreadInVirtualTimeFailsAtOnceWithAllStacks() {
        assertThat(allMessages(Fixture.failureOf(WaitsInVirtualTime.class)))
                .contains("nothing can wake this loop")
                .contains("in virtual time nothing waits for other threads")
                .contains("WaitsInVirtualTime.hangs");
    }

    static class WaitsInVirtualTime {
        @HeddleTest(limitSeconds = 1)
        void hangs() {
            await(Promise.external().deferred());
        }
    }

    @Test
    void theThreadOfATestThatHasEndedHasEndedToo() {
        var settings = Settings.DEFAULT.withLimit(Settings.USUAL_LIMIT);
        for (int i = 0; i < 1_000; i++) {
            var thread = new Thread[1];
            new HangGuard(new TestWorld(settings)).run(() -> thread[0] = Thread.currentThread());
            assertFalse(thread[0].isAlive());
        }
    }

    @Test
    void aTestThatSpinsShowsWhereItSpins() {
        Spins.given = false;
        try {
            assertThat(Fixture.failureOf(Spins.class))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("the loop does not answer")
                    .hasMessageContaining("Spins.spin");
        } finally {
            // Nothing can end it from outside.
            Spins.given = true;
        }
    }

    static class Spins {
        static volatile boolean given;

        @HeddleTest(limitSeconds = 1)
        void hangs() {
            spin();
        }

        private static void spin() {
            while (!given) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void aTestThatCatchesEverythingIsGivenUpAndItsLoopEnds() {
        assertThat(Fixture.failureOf(CatchesEverything.class))
                .hasMessageContaining("the test hangs")
                .hasMessageContaining("CatchesEverything.hangs");
        assertThrows(RejectedExecutionException.class, () -> CatchesEverything.loop.post(() -> {}));
    }

    static class CatchesEverything {
        static volatile Loop loop;

        @HeddleTest(limitSeconds = 1)
        void hangs() {
            loop = Heddle.current().loop();
            while (true) {
                try {
                    Heddle.delay(Duration.ofSeconds(1));
                } catch (Throwable caught) {
                    assertNotNull(caught);
                }
            }
        }
    }

    @Test
    void aTestThatLetsOthersRunForEverIsGivenUpAndEnds() {
        assertThat(Fixture.failureOf(SuspendsForEver.class))
                .hasMessageContaining("the test hangs")
                .hasMessageContaining("SuspendsForEver.hangs");
        assertNotNull(SuspendsForEver.ended);
    }

    static class SuspendsForEver {
        static volatile Throwable ended;

        @HeddleTest(limitSeconds = 1)
        void hangs() {
            try {
                while (true) {
                    Heddle.suspend();
                }
            } catch (Throwable thrown) {
                ended = thrown;
                throw thrown;
            }
        }
    }

    @Test
    void theTimeoutOfJUnitInterruptsWhoWaitsAndNeverTheLoop() {
        var failure = Fixture.failureOf(TimesOut.class);
        assertThat(failure).isInstanceOf(TimeoutException.class);
        assertThat(allMessages(failure)).contains("its coroutines:").contains("TimesOut.hangs");
        assertFalse(TimesOut.interrupted);
        assertFalse(Thread.interrupted(), "of the test that ran it");
    }

    static class TimesOut {
        static volatile boolean interrupted;

        @HeddleTest(virtualTime = false)
        @Timeout(value = 100, unit = TimeUnit.MILLISECONDS)
        void hangs() {
            try {
                await(Promise.external().deferred());
            } finally {
                interrupted = Thread.currentThread().isInterrupted();
            }
        }
    }

    private static String allMessages(Throwable failure) {
        var text = new StringBuilder(String.valueOf(failure.getMessage()));
        if (failure.getCause() != null) {
            text.append(allMessages(failure.getCause()));
        }
        Arrays.stream(failure.getSuppressed())
                .map(HangGuardTest::allMessages)
                .forEach(text::append);
        return text.toString();
    }

    @Test
    void aTimeoutThatIsNotReachedChangesNothing() {
        Fixture.passes(InTime.class);
    }

    static class InTime {
        @HeddleTest(seeds = 20)
        @Timeout(30)
        void ends() {
            Heddle.delay(java.time.Duration.ofDays(365));
        }
    }
}
