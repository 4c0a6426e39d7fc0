package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.testing.Bystander;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.AssertionFailedError;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/// Interrupts of the thread that is in `Heddle.run`.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("JV-03")
final class RunInterruptTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final World world = World.real();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final List<String> trail = new CopyOnWriteArrayList<>();

    /// The kind of thread that calls.
    private enum Caller {
        PLATFORM(Thread.ofPlatform().factory()),
        VIRTUAL(Thread.ofVirtual().factory());

        private final ThreadFactory threads;

        Caller(ThreadFactory threads) {
            this.threads = threads;
        }

        /// {@return what `body` returned or threw, in words, and whether the flag was set then}
        CompletableFuture<String> doing(Body body, CompletableFuture<Thread> thread) {
            var told = new CompletableFuture<String>();
            var made =
                    threads.newThread(
                            () -> {
                                String result = inWords(body);
                                told.complete(
                                        result
                                                + (Thread.interrupted()
                                                        ? ", interrupted"
                                                        : ", not interrupted"));
                            });
            thread.complete(made);
            made.start();
            return told;
        }

        private static String inWords(Body body) {
            try {
                return body.run();
            } catch (Throwable thrown) {
                return thrown.getClass().getSimpleName() + ": " + thrown.getMessage();
            }
        }
    }

    private interface Body {
        String run() throws Exception;
    }

    // ---- before ----

    @ParameterizedTest
    @EnumSource
    void anInterruptBeforeTheRunIsKeptAndEndsNothing(Caller caller) {
        var told =
                caller.doing(
                        () -> {
                            Thread.currentThread().interrupt();
                            return world.call(
                                    () -> {
                                        delay(Duration.ofMillis(1));
                                        return "flag " + Thread.currentThread().isInterrupted();
                                    });
                        },
                        new CompletableFuture<>());

        assertEquals("flag false, interrupted", told.join());
    }

    @ParameterizedTest
    @EnumSource
    void itIsKeptIfTheProgramFails(Caller caller) {
        var told =
                caller.doing(
                        () -> {
                            Thread.currentThread().interrupt();
                            return world.call(
                                    () -> {
                                        throw new IOException("on purpose");
                                    });
                        },
                        new CompletableFuture<>());

        assertEquals("IOException: on purpose, interrupted", told.join());
    }

    @ParameterizedTest
    @EnumSource
    void withoutAnInterruptThereIsNoneAfterwards(Caller caller) {
        var told =
                caller.doing(
                        () ->
                                world.call(
                                        () -> {
                                            spawn(() -> Thread.currentThread().interrupt());
                                            return "done";
                                        }),
                        new CompletableFuture<>());

        assertEquals("done, not interrupted", told.join());
    }

    // ---- meanwhile ----

    private String sleepForEver() {
        world.run(
                () -> {
                    try {
                        begun.countDown();
                        delay(HOUR);
                    } finally {
                        delay(Duration.ofMillis(1));
                        trail.add("cleaned up");
                    }
                });
        return "returned";
    }

    private String interruptOnce(Caller caller, Body body) throws InterruptedException {
        var thread = new CompletableFuture<Thread>();
        var told = caller.doing(body, thread);
        begun.await();
        thread.join().interrupt();
        return told.join();
    }

    @ParameterizedTest
    @EnumSource
    void anInterruptShutsASleepingProgramDownAndRunReturnsWithTheFlagSet(Caller caller)
            throws InterruptedException {
        assertEquals("returned, interrupted", interruptOnce(caller, this::sleepForEver));

        assertEquals(List.of("cleaned up"), trail);
        assertEquals(List.of(), world.reports());
    }

    @ParameterizedTest
    @MethodSource("dev.heddle.World#backends")
    void itWakesEveryBackend(dev.heddle.reactor.Backend backend) throws InterruptedException {
        world.with(options -> options.backend(backend));

        assertEquals("returned, interrupted", interruptOnce(Caller.PLATFORM, this::sleepForEver));
    }

    @ParameterizedTest
    @EnumSource
    void theFormWithAValueThrows(Caller caller) throws InterruptedException {
        String told =
                interruptOnce(
                        caller,
                        () ->
                                world.call(
                                        () -> {
                                            begun.countDown();
                                            delay(HOUR);
                                            return "never";
                                        }));

        assertEquals("OperationCancelledException: shutdown, interrupted", told);
    }

    @ParameterizedTest
    @EnumSource
    void aProgramThatHasItsValueAllTheSameReturnsIt(Caller caller) throws InterruptedException {
        String told =
                interruptOnce(
                        caller,
                        () ->
                                world.call(
                                        () -> {
                                            begun.countDown();
                                            try {
                                                delay(HOUR);
                                            } catch (Cancellation late) {
                                                trail.add(late.getMessage());
                                            }
                                            return "value";
                                        }));

        assertEquals("value, interrupted", told);
        assertEquals(List.of("shutdown"), trail);
    }

    @ParameterizedTest
    @EnumSource
    void aProgramThatIsAlwaysBusyIsShutDownToo(Caller caller) throws InterruptedException {
        String told =
                interruptOnce(
                        caller,
                        () -> {
                            world.run(
                                    () -> {
                                        begun.countDown();
                                        while (true) {
                                            assertFalse(Thread.currentThread().isInterrupted());
                                            suspend();
                                        }
                                    });
                            return "returned";
                        });

        assertEquals("returned, interrupted", told);
    }

    @ParameterizedTest
    @EnumSource
    void theSecondInterruptEndsTheProgramAtOnce(Caller caller) throws InterruptedException {
        var thread = new CompletableFuture<Thread>();
        var stopping = new CountDownLatch(1);
        var told =
                caller.doing(
                        () -> {
                            world.with(options -> options.shutdownLimit(HOUR))
                                    .run(() -> ignoreShutdown(stopping));
                            return "returned";
                        },
                        thread);
        begun.await();
        thread.join().interrupt();
        stopping.await();
        thread.join().interrupt();

        assertEquals(
                "IllegalStateException: the main coroutine did not end: it was abandoned,"
                        + " interrupted",
                told.join());
    }

    // Cleans up for ever, and says when it begins to.
    private void ignoreShutdown(CountDownLatch stopping) {
        spawn(
                () -> {
                    try {
                        delay(HOUR);
                    } finally {
                        stopping.countDown();
                    }
                });
        suspend();
        begun.countDown();
        protect(() -> delay(HOUR));
    }

    // ---- who interrupts ----

    @ParameterizedTest
    @EnumSource
    void aPoolEndsAHangingRunByCancellingItsFuture(Caller caller) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1, caller.threads);
        try (pool) {
            var future = pool.submit(this::sleepForEver);
            begun.await();
            future.cancel(true);

            assertThrows(CancellationException.class, future::get);
            // The next task has the thread, and not the interrupt.
            assertFalse(pool.submit(() -> Thread.currentThread().isInterrupted()).get());
        }
        assertEquals(List.of("cleaned up"), trail);
    }

    @Test
    void aTimeoutOfJunitEndsAHangingRun() throws InterruptedException {
        var ended = new CountDownLatch(1);
        assertThrows(
                AssertionFailedError.class,
                () ->
                        assertTimeoutPreemptively(
                                Duration.ofMillis(50),
                                () -> {
                                    sleepForEver();
                                    ended.countDown();
                                }));
        ended.await();

        assertEquals(List.of("cleaned up"), trail);
    }

    @Test
    void aCoroutineMayDoIt() {
        var caller = Thread.currentThread();
        var thrown =
                assertThrows(
                        OperationCancelledException.class,
                        () ->
                                world.call(
                                        () -> {
                                            caller.interrupt();
                                            delay(HOUR);
                                            return "never";
                                        }));

        assertEquals("shutdown", thrown.getMessage());
        assertTrue(Thread.interrupted());
    }

    @Test
    void aCallbackMayDoIt() {
        world.run(
                () -> {
                    Heddle.current().loop().post(() -> Thread.currentThread().interrupt());
                    delay(HOUR);
                });

        assertTrue(Thread.interrupted());
    }

    // ---- races ----

    @Test
    void aCallbackThatUsesAChannelDoesNotMakeTheThreadDeaf() {
        var file = Path.of(ProcessHandle.current().info().command().orElseThrow());
        var caller = Thread.currentThread();
        var bystander = new CompletableFuture<Bystander>();
        world.run(
                () -> {
                    Heddle.current()
                            .loop()
                            .post(
                                    () -> {
                                        readOneByte(file);
                                        bystander.complete(
                                                Bystander.onceAsleepInKernel(caller::interrupt));
                                    });
                    delay(HOUR);
                });
        bystander.join().close();

        assertTrue(Thread.interrupted());
    }

    private static void readOneByte(Path file) {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            assertEquals(1, channel.read(ByteBuffer.allocate(1)));
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void anInterruptThatMeetsTheEndOfTheRunIsNeverLost() {
        var caller = Thread.currentThread();
        for (int i = 0; i < 500; i++) {
            int steps = i % 20;
            var go = new CountDownLatch(1);
            try (var _ = Bystander.doing(() -> interruptAfter(go, caller))) {
                World.real()
                        .run(
                                () -> {
                                    go.countDown();
                                    for (int step = 0; step < steps; step++) {
                                        suspend();
                                    }
                                });
            }
            assertTrue(Thread.interrupted(), "run " + i);
        }
    }

    private static void interruptAfter(CountDownLatch go, Thread victim) {
        try {
            go.await();
        } catch (InterruptedException never) {
            throw new AssertionError(never);
        }
        victim.interrupt();
    }

    @Test
    void oneInterruptIsNeverTakenForTwo() {
        var caller = Thread.currentThread();
        for (int i = 0; i < 500; i++) {
            var go = new CountDownLatch(1);
            var cleaned = new boolean[1];
            try (var _ = Bystander.doing(() -> interruptAfter(go, caller))) {
                assertInstanceOf(
                        OperationCancelledException.class,
                        assertThrows(
                                OperationCancelledException.class,
                                () ->
                                        World.real()
                                                .call(
                                                        () -> {
                                                            go.countDown();
                                                            try {
                                                                delay(HOUR);
                                                            } finally {
                                                                delay(Duration.ofNanos(100_000));
                                                                cleaned[0] = true;
                                                            }
                                                            return "never";
                                                        })));
            }
            assertTrue(cleaned[0], "run " + i);
            assertTrue(Thread.interrupted());
        }
    }
}
