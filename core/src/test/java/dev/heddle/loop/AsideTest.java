package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/// A thread for what a loop must not do itself.
@Timeout(60)
final class AsideTest {
    private static final int MAX = 100_000;

    private final Aside aside = new Aside("aside", MAX);

    @Test
    void jobsAreDoneInOrderOnAnotherThreadThatIsNoDaemonAndEnds() throws InterruptedException {
        var done = new ArrayList<Integer>();
        var worker = new CompletableFuture<Thread>();
        assertTrue(aside.offer(() -> worker.complete(Thread.currentThread())));
        var last = new CountDownLatch(1);
        var begin = new CountDownLatch(1);
        assertTrue(aside.offer(() -> await(begin)));
        for (int i = 0; i < 100; i++) {
            int number = i;
            assertTrue(aside.offer(() -> done.add(number)));
        }
        assertTrue(aside.offer(last::countDown));
        begin.countDown();
        last.await();

        assertEquals(IntStream.range(0, 100).boxed().toList(), done);
        assertNotSame(Thread.currentThread(), worker.join());
        assertEquals("aside", worker.join().getName());
        assertFalse(worker.join().isDaemon());
        worker.join().join();
    }

    @Test
    void theThreadIsNoDaemonAlsoIfADaemonAdds() throws InterruptedException {
        // A virtual thread is one, and so is every coroutine's.
        var daemon = new CompletableFuture<Boolean>();

        Thread.startVirtualThread(
                        () -> aside.offer(() -> daemon.complete(Thread.currentThread().isDaemon())))
                .join();

        assertFalse(daemon.join());
    }

    @Test
    void drainingWaitsForWhatWasAddedBeforeOrForItsLimit() throws InterruptedException {
        var begin = new CountDownLatch(1);
        var done = new AtomicInteger();
        aside.offer(() -> await(begin));
        aside.offer(done::incrementAndGet);

        assertFalse(aside.drain(Duration.ofMillis(1)));
        assertEquals(0, done.get());
        begin.countDown();
        assertTrue(aside.drain(Duration.ofSeconds(60)));
        assertEquals(1, done.get());
        assertTrue(new Aside("aside", MAX).drain(Duration.ZERO));
    }

    @Test
    void aJobThatThrowsIsReportedAndTheNextIsDone() throws InterruptedException {
        var reported = new CompletableFuture<Throwable>();
        var next = new CompletableFuture<String>();
        var failure = new AssertionError("on purpose");
        aside.offer(
                () -> {
                    Thread.currentThread()
                            .setUncaughtExceptionHandler((_, thrown) -> reported.complete(thrown));
                    throw failure;
                });
        aside.offer(() -> next.complete("done"));

        assertEquals(failure, reported.join());
        assertEquals("done", next.join());
    }

    @Test
    void tooManyAreRefused() {
        var small = new Aside("aside", 2);
        var release = new CountDownLatch(1);
        var done = new CountDownLatch(1);

        assertTrue(small.offer(() -> await(release)));
        assertTrue(small.offer(done::countDown));
        assertFalse(small.offer(() -> {}));
        release.countDown();
        await(done);
    }

    @Test
    void nothingIsLostWhoeverAdds() throws InterruptedException {
        var done = new AtomicInteger();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 4; i++) {
            threads.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        for (int j = 0; j < MAX / 10; j++) {
                                            assertTrue(aside.offer(done::incrementAndGet));
                                        }
                                    }));
        }
        for (var thread : threads) {
            thread.join();
        }
        var last = new CountDownLatch(1);
        assertTrue(aside.offer(last::countDown));
        last.await();

        assertEquals(4 * (MAX / 10), done.get());
    }

    @Test
    void badInputIsNamed() {
        for (var call : List.<Runnable>of(() -> aside.offer(null), () -> new Aside(null, 1))) {
            assertThrows(NullPointerException.class, call::run);
        }
        var refused = assertThrows(IllegalArgumentException.class, () -> new Aside("aside", 0));
        assertEquals("pendingMax must be positive, but is 0", refused.getMessage());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
