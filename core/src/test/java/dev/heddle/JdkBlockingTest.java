package dev.heddle;

import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/// Blocking calls of the JDK park the coroutine that makes them and nobody else: each of them ends
/// only after a sibling has been running for a while. On the machine's own clock and sockets.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class JdkBlockingTest {
    private static final int TICKS = 100;
    private static final Duration HOUR = Duration.ofHours(1);

    private final World world = World.real();
    private int ticks;

    @Test
    void aSleepLetsTheOthersRun() throws InterruptedException {
        world.run(
                () -> {
                    var ticker = spawn(this::tickForEver);
                    Thread.sleep(20);
                    assertTrue(ticks > 0, "nobody ran");
                    ticker.cancel("done");
                });
    }

    @Test
    void aLockLetsTheOthersRun() {
        var lock = new ReentrantLock();
        world.run(
                () -> {
                    lock.lock();
                    var waiter =
                            spawn(
                                    () -> {
                                        lock.lock();
                                        lock.unlock();
                                        return ticks;
                                    });
                    spawn(this::tick).await();
                    lock.unlock();
                    assertEquals(TICKS, waiter.await());
                });
    }

    @Test
    void aMonitorLetsTheOthersRun() {
        var monitor = new Object();
        world.run(
                () -> {
                    Coroutine<Integer> waiter;
                    synchronized (monitor) {
                        waiter =
                                spawn(
                                        () -> {
                                            synchronized (monitor) {
                                                return ticks;
                                            }
                                        });
                        spawn(this::tick).await();
                    }
                    assertEquals(TICKS, waiter.await());
                });
    }

    @Test
    void aWaitForANotifyLetsTheOthersRun() {
        var monitor = new Object();
        var told = new boolean[1];
        world.run(
                () -> {
                    Coroutine<Integer> waiter =
                            spawn(
                                    () -> {
                                        synchronized (monitor) {
                                            while (!told[0]) {
                                                monitor.wait();
                                            }
                                        }
                                        return ticks;
                                    });
                    spawn(this::tick).await();
                    synchronized (monitor) {
                        told[0] = true;
                        monitor.notifyAll();
                    }
                    assertEquals(TICKS, waiter.await());
                });
    }

    @Test
    void aTimedWaitForANotifyLetsTheOthersRun() throws InterruptedException {
        var monitor = new Object();
        world.run(
                () -> {
                    var ticker = spawn(this::tickForEver);
                    synchronized (monitor) {
                        monitor.wait(20);
                    }
                    assertTrue(ticks > 0, "nobody ran");
                    ticker.cancel("done");
                });
    }

    @Test
    void aBlockingQueueLetsTheOthersRunAtBothEnds() {
        var queue = new ArrayBlockingQueue<Integer>(1);
        world.run(
                () -> {
                    var producer =
                            spawn(
                                    () -> {
                                        for (int i = 0; i < 1000; i++) {
                                            queue.put(i);
                                        }
                                    });
                    var consumer =
                            spawn(
                                    () -> {
                                        int sum = 0;
                                        for (int i = 0; i < 1000; i++) {
                                            sum += queue.take();
                                        }
                                        return sum;
                                    });
                    spawn(this::tick).await();
                    producer.await();
                    assertEquals(499_500, consumer.await());
                });
    }

    @Test
    void aBlockingQueueIsFilledByAnotherThread() throws InterruptedException {
        var queue = new ArrayBlockingQueue<Integer>(4);
        world.run(
                () -> {
                    var ticker = spawn(this::tick);
                    var other =
                            Thread.ofPlatform()
                                    .start(
                                            () -> {
                                                for (int i = 0; i < 1000; i++) {
                                                    putUninterruptibly(queue, i);
                                                }
                                            });
                    for (int i = 0; i < 1000; i++) {
                        assertEquals(i, queue.take());
                    }
                    ticker.await();
                    other.join();
                });
    }

    @Test
    void aServerAndItsClientsRunOnOneLoop() throws IOException {
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            world.run(
                    () -> {
                        var accepting = spawn(() -> acceptAll(server, 10));
                        var ticker = spawn(this::tick);
                        for (int i = 0; i < 10; i++) {
                            String word = "word " + i;
                            spawn(() -> assertEquals(word, echo(server.getLocalPort(), word)));
                        }
                        accepting.await();
                        ticker.await();
                    });
        }
    }

    @Test
    void anHttpClientThatBlocksLetsTheOthersRun() throws Exception {
        var reached = new CountDownLatch(1);
        var ticked = new CountDownLatch(1);
        var handlers = Executors.newSingleThreadExecutor();
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(handlers);
        server.createContext(
                "/",
                exchange -> {
                    reached.countDown();
                    awaitUninterruptibly(ticked);
                    byte[] body = "hello".getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        server.start();
        try (var client = HttpClient.newHttpClient()) {
            var uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
            world.run(
                    () -> {
                        var request = HttpRequest.newBuilder(uri).build();
                        var asking =
                                spawn(() -> client.send(request, BodyHandlers.ofString()).body());
                        // The answer comes only after these.
                        suspend();
                        reached.await();
                        spawn(this::tick).await();
                        ticked.countDown();
                        assertEquals("hello", asking.await());
                    });
        } finally {
            server.stop(0);
            handlers.shutdownNow();
            assertTrue(handlers.awaitTermination(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void eachOfThemEndsWhenItIsCancelled() throws IOException {
        var lock = new ReentrantLock();
        var monitor = new Object();
        var queue = new ArrayBlockingQueue<Integer>(1);
        try (var server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            world.run(
                    () -> {
                        lock.lock();
                        assertEnds(spawn("sleep", () -> Thread.sleep(HOUR)));
                        assertEnds(spawn("lock", () -> lock.lockInterruptibly()));
                        assertEnds(spawn("wait", () -> waitForEver(monitor)));
                        assertEnds(spawn("queue", () -> queue.take()));
                        assertEnds(spawn("accept", () -> acceptAll(server, 1)));
                        lock.unlock();
                    });
        }
    }

    private void assertEnds(Coroutine<?> blocked) {
        suspend();
        assertEquals(CoroutineState.IN_JDK_CALL, blocked.state(), blocked.name());
        var outcome = blocked.cancelAndAwait("enough");
        assertInstanceOf(Outcome.Cancelled.class, outcome, blocked.name());
    }

    private void tick() {
        for (int i = 0; i < TICKS; i++) {
            ticks++;
            suspend();
        }
    }

    private void tickForEver() {
        while (true) {
            ticks++;
            suspend();
        }
    }

    private static void waitForEver(Object monitor) throws InterruptedException {
        synchronized (monitor) {
            while (true) {
                monitor.wait();
            }
        }
    }

    private static void acceptAll(ServerSocket server, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            var socket = server.accept();
            spawn(
                    () -> {
                        try (socket) {
                            socket.getInputStream().transferTo(socket.getOutputStream());
                        }
                    });
        }
    }

    private static String echo(int port, String word) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(word.getBytes(StandardCharsets.UTF_8));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void putUninterruptibly(ArrayBlockingQueue<Integer> queue, int value) {
        try {
            queue.put(value);
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
