package dev.heddle;

import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.testing.Bystander;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// When only calls of the JDK can wake anybody, that is a deadlock perhaps, if they wait for each
/// other; not if they wait for a socket, a process or a time.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class JdkWaitsTest {
    private static final Duration LIMIT = Duration.ofMillis(1);

    // Each look is a turn of a loop that has nothing else to do.
    private static final int TURNS = 30;

    private final World world = World.real().with(options -> options.jdkDeadlockAfter(LIMIT));
    private final List<Coroutine<?>> stuck = new ArrayList<>();

    private interface Step {
        void run() throws Exception;
    }

    /// Does `step` on another thread when the loop has looked often enough.
    private static Bystander later(Step step) {
        var loop = Heddle.current().loop();
        long before = loop.stats().turns();
        return Bystander.doing(
                () -> {
                    while (loop.stats().turns() < before + TURNS) {
                        Thread.onSpinWait();
                    }
                    try {
                        step.run();
                    } catch (Exception failed) {
                        throw new AssertionError(failed);
                    }
                });
    }

    @Test
    void whoReadsFromASocketWaitsForTheWorld() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var here = new Socket(server.getInetAddress(), server.getLocalPort());
                var there = server.accept()) {
            world.run(
                    () -> {
                        try (var _ = later(() -> there.getOutputStream().write(7))) {
                            assertEquals(7, here.getInputStream().read());
                        }
                    });
        }

        assertEquals(List.of(), world.reports());
    }

    @Test
    void whoWaitsForAConnectionWaitsForTheWorld() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            world.run(
                    () -> {
                        try (var _ = later(() -> connectTo(server));
                                var accepted = server.accept()) {
                            assertTrue(accepted.isConnected());
                        }
                    });
        }

        assertEquals(List.of(), world.reports());
    }

    private static void connectTo(ServerSocket server) throws Exception {
        new Socket(server.getInetAddress(), server.getLocalPort()).close();
    }

    @Test
    void whoParksForATimeWaitsForTheWorld() {
        world.run(
                () -> {
                    Thread me = Thread.currentThread();
                    try (var _ = later(() -> LockSupport.unpark(me))) {
                        LockSupport.parkNanos(Duration.ofHours(1).toNanos());
                    }
                });

        assertEquals(List.of(), world.reports());
    }

    @Test
    void whoWaitsForAProcessWaitsForTheWorld() throws Exception {
        var process = new ProcessBuilder("cat").start();
        try {
            world.run(
                    () -> {
                        try (var _ = later(() -> process.getOutputStream().close())) {
                            assertEquals(0, process.waitFor());
                        }
                    });
        } finally {
            process.destroyForcibly();
        }

        assertEquals(List.of(), world.reports());
    }

    @Test
    void twoWhoHoldWhatTheOtherNeedsAreReported() {
        world.with(options -> options.onReport(this::keepAndEnd)).run(this::lockEachOther);

        assertEquals(List.of("DEADLOCK"), world.trail);
    }

    @Test
    void besideOneWhoWaitsForTheWorldTheyAreNot() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var here = new Socket(server.getInetAddress(), server.getLocalPort());
                var there = server.accept()) {
            world.with(options -> options.onReport(this::keepAndEnd))
                    .run(
                            () -> {
                                lockEachOther();
                                try (var _ = later(() -> there.getOutputStream().write(7))) {
                                    assertEquals(7, here.getInputStream().read());
                                    world.say("read");
                                }
                            });
        }

        // As soon as nobody else is left, they are.
        assertEquals(List.of("read", "DEADLOCK"), world.trail);
    }

    @Test
    void whoWaitsForAMonitorThatSuchAOneHoldsIsReportedWithIt() {
        var monitor = new Object();
        var never = new CountDownLatch(1);
        world.with(options -> options.onReport(this::keepAndEnd))
                .run(
                        () -> {
                            stuck.add(spawn(() -> awaitInside(monitor, never)));
                            suspend();
                            var second = spawn(() -> awaitInside(monitor, never));
                            stuck.add(second);
                            second.awaitOutcome();
                        });

        assertEquals(List.of("DEADLOCK"), world.trail);
    }

    private static void awaitInside(Object monitor, CountDownLatch never)
            throws InterruptedException {
        synchronized (monitor) {
            never.await();
        }
    }

    private void lockEachOther() {
        var one = new ReentrantLock();
        var two = new ReentrantLock();
        var both = new CyclicBarrier(2);
        stuck.add(spawn(() -> lockBoth(one, two, both)));
        stuck.add(spawn(() -> lockBoth(two, one, both)));
        stuck.forEach(Coroutine::observed);
        suspend();
    }

    private static void lockBoth(ReentrantLock first, ReentrantLock second, CyclicBarrier both)
            throws Exception {
        first.lockInterruptibly();
        try {
            both.await();
            second.lockInterruptibly();
            second.unlock();
        } finally {
            first.unlock();
        }
    }

    // Called on the loop.
    private void keepAndEnd(Report report) {
        world.say(report.kind().name());
        stuck.forEach(each -> each.cancel("reported"));
    }
}
