package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.offload;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// Virtual threads that coroutines start, themselves or by a library: they are no coroutines, and
/// run beside the loop, not on it.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class StrangerThreadsTest {
    private final World world = World.real();
    private final Semaphore gate = new Semaphore(0);
    private final AtomicBoolean over = new AtomicBoolean();
    private final CompletableFuture<Thread> carrier = new CompletableFuture<>();

    // Never lets go of the thread that carries it. Ends only if a coroutine says so.
    private Thread compute() {
        carrier.complete(Carrier.current());
        while (!over.get()) {
            Thread.onSpinWait();
        }
        return carrier.join();
    }

    private void letItEnd() {
        delay(Duration.ofMillis(1));
        while (!carrier.isDone()) {
            suspend();
        }
        over.set(true);
    }

    // ---- where they run ----

    @Test
    void aThreadThatACoroutineStartsComputesBesideTheLoop() throws Exception {
        world.run(
                () -> {
                    var thread = Thread.startVirtualThread(this::compute);
                    letItEnd();
                    thread.join();
                    assertNotSame(Carrier.current(), carrier.join());
                });
    }

    @Test
    void soDoesOneThatSuchAThreadStarts() throws Exception {
        world.run(
                () -> {
                    Thread.startVirtualThread(() -> Thread.startVirtualThread(this::compute));
                    letItEnd();
                    assertNotSame(Carrier.current(), carrier.join());
                });
    }

    @Test
    void andOneThatAHandlerOfAnEndStarts() throws Exception {
        world.run(
                () -> {
                    var child = spawn(() -> "done");
                    child.onCompletion(_ -> Thread.startVirtualThread(this::compute));
                    letItEnd();
                    assertNotSame(Carrier.current(), carrier.join());
                });
    }

    @Test
    void oneThatParksAndIsWokenByACoroutineGoesOnBesideTheLoop() throws Exception {
        world.run(
                () -> {
                    var lock = new ReentrantLock();
                    lock.lock();
                    var thread =
                            Thread.startVirtualThread(
                                    () -> {
                                        lock.lock();
                                        compute();
                                    });
                    while (thread.getState() != Thread.State.WAITING) {
                        suspend();
                    }
                    lock.unlock();
                    letItEnd();
                    thread.join();
                });
    }

    @Test
    void oneThatParksForATimeGoesOnBesideTheLoop() {
        world.run(
                () -> {
                    Thread.startVirtualThread(
                            () -> {
                                LockSupport.parkNanos(1_000_000);
                                compute();
                            });
                    letItEnd();
                });
    }

    @Test
    void oneThatWaitsForAMonitorGoesOnBesideTheLoop() throws Exception {
        world.run(
                () -> {
                    Thread thread;
                    synchronized (gate) {
                        thread =
                                Thread.startVirtualThread(
                                        () -> {
                                            synchronized (gate) {
                                                compute();
                                            }
                                        });
                        while (thread.getState() != Thread.State.BLOCKED) {
                            suspend();
                        }
                    }
                    letItEnd();
                    thread.join();
                });
    }

    @Test
    void oneThatIsInterruptedByACoroutineGoesOnBesideTheLoop() throws Exception {
        world.run(
                () -> {
                    var thread =
                            Thread.startVirtualThread(
                                    () -> {
                                        try {
                                            gate.acquire();
                                        } catch (InterruptedException meant) {
                                            compute();
                                        }
                                    });
                    while (thread.getState() != Thread.State.WAITING) {
                        suspend();
                    }
                    thread.interrupt();
                    letItEnd();
                    thread.join();
                });
    }

    @Test
    void aCoroutineMayWaitForManyOfThem() throws Exception {
        world.run(
                () -> {
                    var latch = new CountDownLatch(1000);
                    for (int i = 0; i < 1000; i++) {
                        Thread.startVirtualThread(
                                () -> {
                                    Thread.yield();
                                    LockSupport.parkNanos(1_000_000);
                                    latch.countDown();
                                });
                    }
                    latch.await();
                });
        assertEquals(List.of(), world.reports());
    }

    // ---- pools of such threads ----

    @Test
    void workThatIsOffloadedToVirtualThreadsDoesNotStopTheLoop() {
        try (var workers = Executors.newVirtualThreadPerTaskExecutor()) {
            world.with(options -> options.loop(loop -> loop.workers(workers)))
                    .run(
                            () -> {
                                var work = spawn(() -> offload(this::compute));
                                letItEnd();
                                assertNotSame(Carrier.current(), await(work));
                            });
        }
    }

    @Test
    void aPoolThatMakesAVirtualThreadWhenACoroutineSubmitsDoesNotStopTheLoop() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1, Thread.ofVirtual().factory());
        try (pool) {
            world.run(
                    () -> {
                        var work = pool.submit(this::compute);
                        letItEnd();
                        assertNotSame(Carrier.current(), work.get());
                    });
        }
    }

    @Test
    void cancellingOffloadedWorkInterruptsItsVirtualThread() {
        try (var workers = Executors.newVirtualThreadPerTaskExecutor()) {
            world.with(options -> options.loop(loop -> loop.workers(workers)))
                    .run(
                            () -> {
                                Promise<String> begun = Promise.external();
                                var work =
                                        spawn(
                                                () ->
                                                        offload(
                                                                () -> {
                                                                    begun.complete("");
                                                                    gate.acquire();
                                                                    return "never";
                                                                }));
                                begun.deferred().await();
                                work.cancel();
                                assertInstanceOf(Outcome.Cancelled.class, work.awaitOutcome());
                            });
        }
    }

    // ---- their life ----

    @Test
    void itOutlivesTheCoroutineThatStartedIt() throws Exception {
        world.run(
                () -> {
                    Coroutine<Thread> maker = spawn(() -> startWaiter());
                    Thread waiter = maker.await();

                    gate.release();
                    waiter.join();

                    assertNotSame(Carrier.current(), carrier.join());
                });
    }

    @Test
    void itOutlivesTheLoop() throws InterruptedException {
        var waiter = new Thread[1];
        world.run(
                () -> {
                    waiter[0] = startWaiter();
                    suspend();
                });

        gate.release();
        waiter[0].join();

        assertNotSame(Thread.currentThread(), carrier.join());
        assertFalse(carrier.join().getName().startsWith("heddle"), carrier.join().getName());
        assertEquals(List.of(), world.reports());
    }

    @Test
    void itMayRunAProgramOfItsOwn() throws Exception {
        world.run(
                () -> {
                    var inner = new CompletableFuture<Thread>();
                    Thread.startVirtualThread(
                                    () -> inner.complete(World.real().call(Carrier::current)))
                            .join();
                    assertNotSame(Carrier.current(), inner.join());
                });
    }

    private Thread startWaiter() {
        return Thread.startVirtualThread(
                () -> {
                    gate.acquireUninterruptibly();
                    carrier.complete(Carrier.current());
                });
    }

    // ---- it is no coroutine ----

    @Test
    void whatOnlyCoroutinesMayDoIsRefusedAndSaysWhatToDo() throws Exception {
        world.run(
                () -> {
                    var refused = new CompletableFuture<Throwable>();
                    Thread.startVirtualThread(
                                    () ->
                                            refused.complete(
                                                    assertThrows(
                                                            IllegalStateException.class,
                                                            Heddle::suspend)))
                            .join();
                    String text = String.valueOf(refused.join().getMessage());
                    assertTrue(text.startsWith("suspend outside a coroutine, on "), text);
                    assertTrue(text.contains("spawn a coroutine instead of it"), text);
                });
    }

    // ---- where the JDK's scheduler cannot be had, and in virtual time ----

    @Test
    void whoAsksForItHasThemOnTheLoop() throws Exception {
        world.with(options -> options.probe(new OnTheLoop()))
                .run(
                        () -> {
                            var thread =
                                    Thread.startVirtualThread(
                                            () -> carrier.complete(Carrier.current()));
                            assertFalse(carrier.isDone());
                            thread.join();
                            assertSame(Carrier.current(), carrier.join());
                        });
    }

    @Test
    void onTheLoopOneThatIsStillQueuedAtTheEndIsNotLost() throws Exception {
        // Main ends without a suspension point, and the thread has had no turn by then.
        world.with(options -> options.probe(new OnTheLoop()).shutdownLimit(Duration.ZERO))
                .run(
                        () -> {
                            Thread.startVirtualThread(() -> carrier.complete(Carrier.current()));
                        });

        assertFalse(carrier.join().isVirtual());
    }

    @Test
    void onTheLoopTheWatchdogSaysWhatKeepsIt() throws Exception {
        world.with(options -> options.probe(new OnTheLoop()).blockedAfter(Duration.ofMillis(20)))
                .run(
                        () ->
                                Thread.startVirtualThread(
                                                () -> {
                                                    while (world.reports().stream()
                                                            .noneMatch(
                                                                    StrangerThreadsTest
                                                                            ::namesAStranger)) {
                                                        Thread.onSpinWait();
                                                    }
                                                })
                                        .join());
    }

    private static boolean namesAStranger(Report report) {
        return report.kind() == Report.Kind.BLOCKED_LOOP
                && report.text().startsWith("a virtual thread that a coroutine started");
    }

    private static final class OnTheLoop implements Probe {
        @Override
        public boolean carriesStrangers() {
            return true;
        }
    }
}
