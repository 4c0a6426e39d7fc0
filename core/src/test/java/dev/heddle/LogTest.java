package dev.heddle;

import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// The loop never waits for the logger, nor for whoever else writes to it.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class LogTest {
    private static final Report REPORT = new Report(Report.Kind.ZOMBIE, "text", List.of());

    private final Logger logger = Logger.getLogger("dev.heddle");
    private volatile Consumer<String> sink = _ -> {};
    private volatile boolean over;
    private final Handler handler =
            new Handler() {
                @Override
                public void publish(LogRecord record) {
                    sink.accept(record.getMessage());
                }

                @Override
                public void flush() {
                    // Nothing is kept back.
                }

                @Override
                public void close() {
                    // Nothing was opened.
                }
            };

    @BeforeEach
    void takeTheLogger() {
        logger.setUseParentHandlers(false);
        logger.addHandler(handler);
    }

    @AfterEach
    void giveItBack() {
        logger.removeHandler(handler);
        logger.setUseParentHandlers(true);
    }

    @Test
    void aCoroutineMayHoldTheLockOfTheLoggerAndTheLoopGoesOn() {
        var lock = new ReentrantLock();
        var written = new CompletableFuture<String>();
        sink =
                message -> {
                    if (!message.contains("left")) {
                        // Of an earlier test: the log is written in the background.
                        return;
                    }
                    lock.lock();
                    try {
                        written.complete(Thread.currentThread().getName() + ": " + message);
                    } finally {
                        lock.unlock();
                    }
                };

        Heddle.run(
                () -> {
                    var promise = new Promise<String>();
                    spawn(
                            () -> {
                                lock.lock();
                                try {
                                    promise.deferred().await();
                                } finally {
                                    lock.unlock();
                                }
                            });
                    suspend();
                    var scope = new Scope();
                    scope.spawn("left", () -> Heddle.delay(Duration.ofMillis(1)));
                    suspend();
                    scope.disposeSafely();
                    for (int i = 0; i < 100; i++) {
                        suspend();
                    }
                    assertFalse(written.isDone());
                    promise.complete("let go");
                });

        assertTrue(written.join().startsWith("heddle-log: zombie ("), written.join());
    }

    @Test
    void whatACoroutineDidNotCatchIsWrittenWithItsNameAndPlaceBeforeRunThrows() {
        var written = new ArrayList<String>();
        sink = written::add;

        assertThrows(
                IllegalArgumentException.class,
                () ->
                        Heddle.run(
                                () -> {
                                    spawn("worker", () -> fail("disk full"));
                                }));

        assertEquals(1, written.size());
        String first = written.getFirst().lines().findFirst().orElseThrow();
        assertEquals(
                "uncaught in Coroutine #2 \"worker\", spawned at LogTest:"
                        + " java.lang.IllegalArgumentException: disk full",
                first);
    }

    private static void fail(String why) {
        throw new IllegalArgumentException(why);
    }

    @Test
    void loopAndCoroutinesAndOtherThreadsMayAllWriteAtOnce() throws InterruptedException {
        var done = new int[1];
        var others = List.of(hammer(), hammer());
        try {
            Heddle.run(
                    () -> {
                        var loop = Heddle.current().loop();
                        for (int i = 0; i < 20; i++) {
                            spawn(() -> writeOften(done));
                        }
                        for (int i = 0; i < 5000; i++) {
                            loop.post(() -> write(done));
                            suspend();
                        }
                    });
        } finally {
            over = true;
            for (var other : others) {
                other.join();
            }
        }

        assertEquals(105_000, done[0]);
    }

    private Thread hammer() {
        return Thread.ofPlatform()
                .start(
                        () -> {
                            while (!over) {
                                Log.write(REPORT);
                            }
                        });
    }

    private static void writeOften(int[] done) {
        for (int i = 0; i < 5000; i++) {
            write(done);
            if (i % 10 == 0) {
                suspend();
            }
        }
    }

    private static void write(int[] done) {
        Log.write(REPORT);
        done[0]++;
    }
}
