package dev.heddle;

import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;

/// Threads that serve one coroutine after another: the next finds them as new.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("JV-03")
final class StrandTest {
    private static final ThreadLocal<String> LOCAL = new ThreadLocal<>();
    private static final InheritableThreadLocal<String> INHERITED = new InheritableThreadLocal<>();
    private static final ScopedValue<String> SCOPED = ScopedValue.newInstance();

    private final World world = World.real();

    @Test
    void aThreadServesOneCoroutineAfterAnother() {
        world.run(
                () -> {
                    var threads = new HashSet<Thread>();
                    for (int i = 0; i < 100; i++) {
                        spawn(() -> threads.add(Thread.currentThread())).await();
                    }
                    assertEquals(1, threads.size());
                });
    }

    @Test
    void coroutinesThatLiveAtTheSameTimeHaveThreadsOfTheirOwn() {
        world.run(
                () -> {
                    var threads = new HashSet<Thread>();
                    var all = new ArrayList<Coroutine<Void>>();
                    for (int i = 0; i < 100; i++) {
                        all.add(
                                spawn(
                                        () -> {
                                            threads.add(Thread.currentThread());
                                            suspend();
                                        }));
                    }
                    Heddle.awaitAll(all);
                    assertEquals(100, threads.size());
                });
    }

    @Test
    void theNextSeesNothingOfTheLast() {
        world.run(
                () -> {
                    var loader = Thread.currentThread().getContextClassLoader();
                    Coroutine<Thread> last = spawn("last", StrandTest::leaveTraces);
                    Thread thread = last.await();

                    Coroutine<Thread> next = spawn(Thread::currentThread);
                    next.onCompletion(_ -> {});
                    assertSame(thread, next.await());
                    spawn(
                                    () -> {
                                        assertSame(thread, Thread.currentThread());
                                        assertNull(LOCAL.get());
                                        assertNull(INHERITED.get());
                                        assertEquals("", Thread.currentThread().getName());
                                        assertFalse(Thread.currentThread().isInterrupted());
                                        assertSame(
                                                loader,
                                                Thread.currentThread().getContextClassLoader());
                                        assertFalse(SCOPED.isBound());
                                        assertSame(
                                                Thread.currentThread().getThreadGroup(),
                                                Thread.currentThread()
                                                        .getUncaughtExceptionHandler());
                                        assertFalse(Heddle.current().isCancellationRequested());
                                    })
                            .await();
                });
    }

    @Test
    void theNextSeesNothingOfTheHandlersOfTheLast() {
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.onException((_, _) -> leaveTraces());
                    scope.spawn(
                            () -> {
                                throw new IllegalStateException("on purpose");
                            });
                    scope.awaitCompletion();
                    for (int i = 0; i < 10; i++) {
                        spawn(
                                        () -> {
                                            assertNull(LOCAL.get());
                                            assertFalse(Thread.currentThread().isInterrupted());
                                        })
                                .await();
                    }
                    scope.close();
                });
    }

    @Test
    void theNextDoesNotSeeTheScopedValuesThatTheLastInherited() {
        world.run(
                () -> {
                    // In a coroutine of its own: who once had bindings makes a new thread for each
                    // child.
                    Coroutine<Coroutine<Thread>> spawner =
                            spawn(
                                    () ->
                                            ScopedValue.where(SCOPED, "inherited")
                                                    .call(() -> spawn(StrandTest::lookUp)));
                    Thread thread = spawner.await().await();

                    spawn(
                                    () -> {
                                        assertSame(thread, Thread.currentThread());
                                        assertFalse(SCOPED.isBound());
                                        assertEquals("none", SCOPED.orElse("none"));
                                    })
                            .await();
                });
    }

    private static Thread lookUp() {
        assertEquals("inherited", SCOPED.get());
        return Thread.currentThread();
    }

    @Test
    void whoInterruptsTheThreadAfterTheEndDoesNotCancelTheNext() {
        world.run(
                () -> {
                    Coroutine<Thread> last = spawn(Thread::currentThread);
                    Thread thread = last.await();
                    thread.interrupt();

                    Coroutine<Thread> next =
                            spawn(
                                    () -> {
                                        Heddle.delay(Duration.ofNanos(1));
                                        return Thread.currentThread();
                                    });
                    assertSame(thread, next.await());
                });
    }

    @Test
    void aChildHasWhatItsSpawnerHandsOn() {
        world.run(
                () -> {
                    INHERITED.set("from above");
                    String value =
                            ScopedValue.where(SCOPED, "bound")
                                    .call(
                                            () ->
                                                    spawn(
                                                                    () ->
                                                                            INHERITED.get()
                                                                                    + " "
                                                                                    + SCOPED.get())
                                                            .await());
                    assertEquals("from above bound", value);
                    INHERITED.remove();
                });
    }

    @Test
    void aHandlerThatWaitsForALockOfAnotherThreadIsNotLost() throws InterruptedException {
        var gate = new Semaphore(0);
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.onException(
                            (error, _) -> {
                                world.say("handler " + error.getMessage());
                                gate.acquireUninterruptibly();
                                world.say("handler done");
                            });
                    var failing =
                            scope.spawn(
                                    () -> {
                                        throw new IllegalStateException("begins");
                                    });
                    suspend();
                    spawn(() -> world.say("others run"));
                    suspend();
                    assertTrue(failing.isFinished());
                    var other = Thread.ofPlatform().start(gate::release);
                    scope.awaitCompletion();
                    world.say("complete");
                    scope.close();
                    Heddle.offload(() -> other.join());
                });

        assertEquals(
                List.of("handler begins", "others run", "handler done", "complete"), world.trail);
    }

    @Test
    void theProgramWaitsForAHandlerThatWaits() throws InterruptedException {
        var gate = new Semaphore(0);
        var other = new Thread[1];
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.onException(
                            (_, _) -> {
                                other[0] = Thread.ofPlatform().start(gate::release);
                                gate.acquireUninterruptibly();
                                world.say("handler done");
                            });
                    scope.spawn(
                            () -> {
                                throw new IllegalStateException("on purpose");
                            });
                });

        assertEquals(List.of("handler done"), world.trail);
        other[0].join();
    }

    @Test
    void aHandlerThatWaitsForALockOfACoroutineIsNotLost() {
        var lock = new ReentrantLock();
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.onException(
                            (_, _) -> {
                                lock.lock();
                                world.say("handler");
                                lock.unlock();
                            });
                    var promise = new Promise<String>();
                    var holder =
                            spawn(
                                    () -> {
                                        lock.lock();
                                        try {
                                            promise.deferred().await();
                                            world.say("holder");
                                        } finally {
                                            lock.unlock();
                                        }
                                    });
                    suspend();
                    scope.spawn(
                            () -> {
                                throw new IllegalStateException("on purpose");
                            });
                    suspend();
                    promise.complete("go on");
                    scope.awaitCompletion();
                    holder.await();
                    scope.close();
                });

        assertEquals(List.of("holder", "handler"), world.trail);
    }

    @Test
    void aThreadWhoseHandlerWaitedServesOthersAfterwards() {
        var gate = new Semaphore(0);
        world.run(
                () -> {
                    var scope = new Scope();
                    scope.onException((_, _) -> gate.acquireUninterruptibly());
                    for (int i = 0; i < 50; i++) {
                        scope.spawn(
                                () -> {
                                    throw new IllegalStateException("on purpose");
                                });
                    }
                    suspend();
                    gate.release(50);
                    var all = new ArrayList<Coroutine<Integer>>();
                    for (int i = 0; i < 200; i++) {
                        int number = i;
                        all.add(
                                spawn(
                                        () -> {
                                            suspend();
                                            return number;
                                        }));
                    }
                    int sum = Heddle.awaitAll(all).stream().mapToInt(Integer::intValue).sum();
                    assertEquals(199 * 100, sum);
                    scope.awaitCompletion();
                    scope.close();
                });

        assertEquals(List.of(), world.reports());
    }

    private static Thread leaveTraces() {
        LOCAL.set("left behind");
        INHERITED.set("left behind");
        var thread = Thread.currentThread();
        thread.setContextClassLoader(new URLClassLoader(new URL[0]));
        thread.setUncaughtExceptionHandler((_, _) -> {});
        thread.interrupt();
        return thread;
    }
}
