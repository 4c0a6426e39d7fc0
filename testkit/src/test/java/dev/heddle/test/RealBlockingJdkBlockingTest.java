package dev.heddle.test;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.offload;
import static dev.heddle.Heddle.spawn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.Heddle;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// Calls that wait for real time or for a real thread are found and named in virtual time; waiting
/// for another coroutine in a call of the JDK is not one of them.
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RealBlockingJdkBlockingTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private interface Body {
        void run() throws Exception;
    }

    private static void finds(String call, Body body) {
        var error =
                assertThrows(
                        RealBlockingError.class,
                        () ->
                                Simulation.create()
                                        .run(_ -> await(spawn("blocker", () -> body.run()))));
        assertThat(error)
                .hasMessageStartingWith("blocker blocks for real in virtual time")
                .hasMessageContaining(call)
                .hasMessageContaining("RealBlockingJdkBlockingTest.java:");
        assertThat(error.getStackTrace())
                .anyMatch(
                        frame ->
                                frame.getClassName()
                                        .startsWith(RealBlockingJdkBlockingTest.class.getName()));
    }

    @Test
    void sleeping() {
        finds("java.lang.Thread.sleep", () -> Thread.sleep(60_000));
    }

    @Test
    void sleepingWhileOthersWaitInVirtualTime() {
        finds(
                "java.lang.Thread.sleep",
                () -> {
                    spawn(() -> delay(HOUR));
                    Thread.sleep(Duration.ofMinutes(1));
                });
    }

    @Test
    void aFailureSaysWhoWasInTheJdkWhileVirtualTimePassed() {
        assertThat(
                        Arrays.stream(Fixture.failureOf(TimeoutAroundAFuture.class).getSuppressed())
                                .map(Throwable::getMessage))
                .anyMatch(
                        note ->
                                note.contains("virtual time passed while main was in")
                                        && note.contains("CompletableFuture.get")
                                        && note.contains("TimeoutAroundAFuture.lambda$body")
                                        && note.contains("virtualTime = false"));
    }

    static class TimeoutAroundAFuture {
        @HeddleTest
        void body() throws Exception {
            Heddle.within(HOUR, () -> new CompletableFuture<String>().get());
        }
    }

    @Test
    void waitingForAFuture() {
        finds("CompletableFuture.get", () -> new CompletableFuture<String>().get());
        finds(
                "CompletableFuture.get",
                () -> new CompletableFuture<String>().get(1, TimeUnit.MINUTES));
        finds("CompletableFuture.join", () -> new CompletableFuture<String>().join());
    }

    @Test
    void waitingForAQueue() {
        finds("LinkedBlockingQueue.take", () -> new LinkedBlockingQueue<String>().take());
        finds(
                "LinkedBlockingQueue.poll",
                () -> new LinkedBlockingQueue<String>().poll(1, TimeUnit.MINUTES));
    }

    @Test
    void waitingForALatch() {
        finds("CountDownLatch.await", () -> new CountDownLatch(1).await());
    }

    @Test
    void waitingForANotification() {
        finds("java.lang.Object.wait", () -> waitOn(new Object(), 0));
    }

    @Test
    void waitingForANotificationForATimeWhileTimePasses() {
        finds(
                "java.lang.Object.wait",
                () -> {
                    var ticker = spawn(RealBlockingJdkBlockingTest::ticksForEver);
                    waitOn(new Object(), 60_000);
                    ticker.cancel();
                });
    }

    private static void ticksForEver() {
        while (true) {
            delay(HOUR);
        }
    }

    private static void waitOn(Object monitor, long millis) throws InterruptedException {
        synchronized (monitor) {
            if (millis == 0) {
                monitor.wait();
            } else {
                monitor.wait(millis);
            }
        }
    }

    @Test
    void readingFromASocket() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var client = new Socket(server.getInetAddress(), server.getLocalPort());
                var peer = server.accept()) {
            assertThat(peer.isConnected()).isTrue();
            finds("read", () -> client.getInputStream().read());
        }
    }

    @Test
    void anOffloadedBodyMayBlockAsItLikes() {
        Simulation.create()
                .run(
                        _ -> {
                            offload(() -> Thread.sleep(1));
                            assertEquals(
                                    "there",
                                    offload(
                                            () ->
                                                    CompletableFuture.supplyAsync(() -> "there")
                                                            .get()));
                        });
    }

    @Test
    void anOffloadedBodyThatWaitsForACoroutineIsFound() {
        var queue = new LinkedBlockingQueue<String>();
        var error =
                assertThrows(
                        RealBlockingError.class,
                        () ->
                                Simulation.create()
                                        .limit(Duration.ofSeconds(2))
                                        .run(_ -> offload(() -> queue.take())));
        queue.add("so that the worker ends");
        assertThat(error).hasMessageContaining("offloaded body has not ended");
        assertThat(error.getStackTrace()).anyMatch(frame -> frame.getMethodName().equals("take"));
    }

    @Test
    void inRealTimeEverythingMayBlock() {
        Simulation.create()
                .realTime()
                .run(
                        _ -> {
                            Thread.sleep(1);
                            assertEquals(
                                    "there", CompletableFuture.supplyAsync(() -> "there").get());
                        });
    }

    @Test
    void aLockThatAnotherCoroutineHoldsOverADelayIsFine() {
        for (int seed = 0; seed < 20; seed++) {
            var order = new ArrayList<String>();
            var lock = new ReentrantLock();
            Simulation.create()
                    .seed(seed)
                    .run(
                            world -> {
                                Body body =
                                        () -> {
                                            lock.lock();
                                            try {
                                                delay(HOUR);
                                                order.add("@" + world.elapsed());
                                            } finally {
                                                lock.unlock();
                                            }
                                        };
                                Heddle.awaitAll(spawn(() -> body.run()), spawn(() -> body.run()));
                            });
            assertEquals(List.of("@PT1H", "@PT2H"), order);
        }
    }

    @Test
    void threadsThatACoroutineStartsAndWaitsForTakeTurnsWithItAndAreFine() {
        for (int seed = 0; seed < 20; seed++) {
            var order = new ArrayList<String>();
            var hash =
                    Simulation.create()
                            .seed(seed)
                            .run(
                                    _ -> {
                                        var one = startSaying("one", order);
                                        var two = startSaying("two", order);
                                        one.join();
                                        two.join();
                                    });
            var again = new ArrayList<String>();
            var hashAgain =
                    Simulation.create()
                            .seed(seed)
                            .run(
                                    _ -> {
                                        var one = startSaying("one", again);
                                        var two = startSaying("two", again);
                                        one.join();
                                        two.join();
                                    });
            assertEquals(4, order.size());
            assertEquals(order, again);
            assertEquals(hash, hashAgain);
        }
    }

    // Not synchronized: they are on the loop.
    private static Thread startSaying(String name, List<String> order) {
        return Thread.startVirtualThread(
                () -> {
                    order.add(name);
                    Thread.yield();
                    order.add(name + " again");
                });
    }

    @Test
    void waitingForAThreadThatSleeps() {
        finds("java.lang.Thread.join", () -> Thread.startVirtualThread(() -> parkFor(HOUR)).join());
    }

    private static void parkFor(Duration time) {
        LockSupport.parkNanos(time.toNanos());
    }

    @Test
    void aQueueThatAnotherCoroutineFillsLaterIsFine() {
        var queue = new LinkedBlockingQueue<String>();
        Simulation.create()
                .run(
                        world -> {
                            spawn(
                                    () -> {
                                        delay(HOUR);
                                        queue.add("late");
                                    });
                            assertEquals("late", queue.take());
                            assertEquals(HOUR, world.elapsed());
                        });
    }

    @Test
    void aNotificationFromAnotherCoroutineIsFine() {
        for (int seed = 0; seed < 20; seed++) {
            var monitor = new Object();
            Simulation.create()
                    .seed(seed)
                    .run(
                            world -> {
                                var waiter = spawn(() -> waitOn(monitor, 0));
                                delay(HOUR);
                                synchronized (monitor) {
                                    monitor.notifyAll();
                                }
                                await(waiter);
                                assertEquals(HOUR, world.elapsed());
                            });
        }
    }

    @Test
    void contendedMonitorsAreFine() {
        for (int seed = 0; seed < 20; seed++) {
            var monitor = new Object();
            var order = new ArrayList<String>();
            Simulation.create()
                    .seed(seed)
                    .run(
                            world -> {
                                Body body =
                                        () -> {
                                            synchronized (monitor) {
                                                delay(HOUR);
                                                order.add("@" + world.elapsed());
                                            }
                                        };
                                Heddle.awaitAll(
                                        spawn(() -> body.run()),
                                        spawn(() -> body.run()),
                                        spawn(() -> body.run()));
                            });
            assertEquals(List.of("@PT1H", "@PT2H", "@PT3H"), order);
        }
    }
}
