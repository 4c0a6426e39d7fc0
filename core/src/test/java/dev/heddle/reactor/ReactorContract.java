package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.testing.Bystander;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;

/// What every backend promises: the class comment of [Reactor], claim by claim. Each backend's test
/// is a subclass that opens one.
///
/// Here are time, wake-ups and the end; readiness and registration are above, a file each.
abstract class ReactorContract extends RegistrationContract {
    @ParameterizedTest
    @ValueSource(longs = {1, 999, 1_000, 100_000, 999_999, 1_000_001, 5_000_000})
    void aTimeoutIsNeverEarly(long timeoutNanos) throws IOException {
        reactor.register(descriptors.wire().fd(), 7, READ);
        for (int round = 0; round < 5; round++) {
            long start = descriptors.nanos();
            assertEquals(List.of(), poll(timeoutNanos));
            long elapsed = descriptors.nanos() - start;
            assertTrue(elapsed >= timeoutNanos, elapsed + " ns instead of " + timeoutNanos);
        }
    }

    @Test
    void aZeroTimeoutReportsWhatIsPending() throws IOException {
        registered(7, READ).send();

        assertEquals(List.of("7:READ"), poll(0));
    }

    @Test
    void theLongestTimeoutDoesNotOverflow() throws IOException {
        registered(7, READ).send();
        assertEquals(List.of("7:READ"), poll(Long.MAX_VALUE));

        reactor.wake();
        assertEquals(List.of(), poll(Long.MAX_VALUE));
    }

    @Test
    void aWakeBeforeAnyKernelObjectExistsIsNotLost() throws IOException {
        reactor.wake();

        assertEquals(List.of(), poll(FOREVER));
    }

    @Test
    void aWakeBeforeTheDescriptorIsAskedForIsNotLost() throws IOException {
        reactor.wake();
        reactor.fd();

        assertEquals(List.of(), poll(FOREVER));
    }

    @Test
    void everyWakeEndsOnePoll() throws IOException {
        assertSilent();
        for (int round = 0; round < 5; round++) {
            reactor.wake();
            assertEquals(List.of(), poll(FOREVER));
        }
    }

    @Test
    void aWakeFromAnotherThreadEndsAWaitForEver() throws IOException {
        reactor.register(descriptors.wire().fd(), 7, READ);
        descriptors.expectWake();
        for (int round = 0; round < 3; round++) {
            try (var _ = Bystander.onceAsleepIn("poll", reactor::wake)) {
                assertEquals(List.of(), poll(FOREVER));
            }
        }
    }

    @Test
    void wakesCoalesce() throws IOException {
        assertSilent();
        for (int i = 0; i < 1_000; i++) {
            reactor.wake();
        }
        assertEquals(List.of(), poll(FOREVER));

        assertSilent();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPollThatDoesNotWaitSeesAWakeToo(boolean firstPoll) throws IOException {
        if (!firstPoll) {
            assertSilent();
        }
        reactor.wake();
        assertEquals(List.of(), poll(0));

        assertSilent();
    }

    @Test
    void noWakeIsLostAmongManyThreads() throws IOException {
        int threads = 2;
        int each = 1_000;
        var posted = new AtomicInteger();
        var seen = new AtomicInteger();
        descriptors.expectWake();
        Runnable poster =
                () -> {
                    for (int i = 0; i < each; i++) {
                        int mine = posted.incrementAndGet();
                        reactor.wake();
                        while (seen.get() < mine) {
                            Thread.yield();
                        }
                    }
                };
        try (var _ = Bystander.doing(poster);
                var _ = Bystander.doing(poster)) {
            while (seen.get() < threads * each) {
                assertEquals(List.of(), poll(FOREVER));
                seen.set(posted.get());
            }
        }
    }

    @Test
    void aWakeThatMeetsTheFirstPollIsNotLost() throws Exception {
        for (int round = 0; round < 200; round++) {
            reopen(open());
            descriptors.expectWake();
            var start = new CyclicBarrier(2);
            try (var _ = Bystander.doing(() -> wakeAfter(start))) {
                start.await();
                assertEquals(List.of(), poll(FOREVER));
            }
        }
    }

    private void wakeAfter(CyclicBarrier start) {
        try {
            start.await();
        } catch (InterruptedException | BrokenBarrierException cause) {
            throw new AssertionError(cause);
        }
        reactor.wake();
    }

    @Test
    void aWakeIsNoEventAndHidesNone() throws IOException {
        var wire = registered(7, READ);
        assertSilent();
        wire.send();
        reactor.wake();

        var seen = new ArrayList<>(next());
        seen.addAll(poll(0));
        assertEquals(List.of("7:READ"), seen);
    }

    @Test
    void closeIsIdempotentAndLeavesDescriptorsOpen() throws IOException {
        var wire = registered(7, READ);
        wire.send();
        next();
        reactor.close();
        reactor.close();

        wire.drain();
        wire.fill();
    }

    @Test
    void everyMethodButWakeThrowsAfterClose() throws IOException {
        int fd = registered(7, READ).fd();
        reactor.close();

        for (Executable method :
                List.<Executable>of(
                        () -> reactor.register(fd, 7, READ),
                        () -> reactor.modify(fd, 7, READ),
                        () -> reactor.unregister(fd),
                        () -> reactor.consumed(fd, READ),
                        () -> reactor.poll(out, 0),
                        () -> reactor.registered(),
                        () -> reactor.fd())) {
            assertThrows(IllegalStateException.class, method);
        }
        reactor.wake();
    }
}
