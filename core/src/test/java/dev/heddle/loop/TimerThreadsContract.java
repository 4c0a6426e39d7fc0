package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/// Timers that other threads than the loop's start and stop, on every backend.
///
/// **Thread:** owner (the test runner).
abstract class TimerThreadsContract extends LoopTestCase {
    private static final Duration FAR = Duration.ofDays(1);
    private static final int THREADS = 4;

    TimerThreadsContract(Backend backend) {
        super(backend);
    }

    // L42
    @Test
    void ofFourThreadsThatStopATimerExactlyOneIsToldThatItDid() throws IOException {
        var loop = fixture.open();
        var fired = new AtomicInteger();
        var timers = new ArrayList<Timer>();
        for (int i = 0; i < 50; i++) {
            timers.add(loop.after(FAR, fired::incrementAndGet));
        }
        var stopped = new AtomicInteger();
        var begin = new CyclicBarrier(THREADS);
        for (int i = 0; i < THREADS; i++) {
            fixture.outside(
                    () -> {
                        begin.await();
                        for (var timer : timers) {
                            stopped.addAndGet(timer.stop() ? 1 : 0);
                        }
                    });
        }

        assertFalse(loop.run(), "ends when the last one is stopped");

        fixture.awaitOutsiders();
        assertEquals(timers.size(), stopped.get());
        assertEquals(0, fired.get());
        assertTrue(timers.stream().noneMatch(Timer::isActive));
    }

    @Test
    void aTimerFiresOnTheLoopWhereverItWasStarted() throws IOException {
        var loop = fixture.open();
        var threads = new ConcurrentLinkedQueue<Thread>();
        var far = loop.after(FAR, () -> {});
        for (int i = 0; i < THREADS; i++) {
            fixture.outside(
                    () -> {
                        for (int k = 0; k < 50; k++) {
                            loop.after(
                                    Duration.ofNanos(k * 1000L),
                                    () -> {
                                        threads.add(Thread.currentThread());
                                        if (threads.size() == THREADS * 50) {
                                            far.stop();
                                        }
                                    });
                        }
                    });
        }

        assertFalse(loop.run());

        assertEquals(THREADS * 50, threads.size());
        assertEquals(List.of(Thread.currentThread()), threads.stream().distinct().toList());
    }

    @Test
    void aTimerStartedFromOutsideMovesUpTheWaitThatIsUnderWay() throws IOException {
        var loop = fixture.open();
        var far = loop.after(FAR, () -> {});
        var timer = loop.timer(far::stop);

        whileAsleep(() -> timer.start(Duration.ofMillis(1)), () -> assertFalse(loop.run()));
    }

    @Test
    void ofAStopAndAFiringExactlyOneWins() throws IOException {
        var loop = fixture.open();
        int rounds = 2000;
        var fired = new boolean[rounds];
        var stopped = new boolean[rounds];
        var timers = new ArrayList<Timer>();
        for (int i = 0; i < rounds; i++) {
            int round = i;
            timers.add(loop.timer(() -> fired[round] = true));
        }
        var begin = new CountDownLatch(1);
        fixture.outside(
                () -> {
                    begin.await();
                    for (int i = 0; i < rounds; i++) {
                        stopped[i] = timers.get(i).stop();
                    }
                });
        // Both go through them in the same order, so that they come across each other on the way.
        timers.forEach(timer -> timer.start(Duration.ZERO));
        begin.countDown();

        assertFalse(loop.run());

        fixture.awaitOutsiders();
        for (int i = 0; i < rounds; i++) {
            assertTrue(fired[i] ^ stopped[i], "timer " + i + ": fired and stopped: " + fired[i]);
        }
        assertFalse(loop.alive());
    }

    @Test
    void aRepeatingTimerDoesNotTickAfterAStopFromOutside() throws IOException {
        var loop = fixture.open();
        var ticks = new AtomicInteger();
        var ticked = new CountDownLatch(1);
        var timer =
                loop.every(
                        Duration.ofNanos(100),
                        () -> {
                            ticks.incrementAndGet();
                            ticked.countDown();
                        });
        // The first tick is given to the simulated clock, which stands still beside outsiders.
        loop.runOnce();
        var afterStop = new AtomicInteger(-1);
        var far = loop.after(FAR, () -> {});
        fixture.outside(
                () -> {
                    ticked.await();
                    assertTrue(timer.stop());
                    // The tick that is being run at this moment may still end.
                    loop.post(
                            () -> {
                                afterStop.set(ticks.get());
                                loop.after(Duration.ofMillis(1), far::stop);
                            });
                });

        assertFalse(loop.run());

        assertEquals(afterStop.get(), ticks.get());
        assertFalse(timer.isActive());
    }

    @Test
    void startsAndStopsFromManyThreadsLeaveTheCountRight() throws IOException {
        var loop = fixture.open();
        var fired = new AtomicInteger();
        var timers = new ArrayList<Timer>();
        for (int i = 0; i < 16; i++) {
            timers.add(loop.timer(fired::incrementAndGet));
        }
        var far = loop.after(FAR, () -> {});
        var left = new AtomicInteger(THREADS);
        for (int i = 0; i < THREADS; i++) {
            int offset = i;
            fixture.outside(
                    () -> {
                        for (int k = 0; k < 2000; k++) {
                            var timer = timers.get((k * 7 + offset) % timers.size());
                            if ((k + offset) % 3 == 0) {
                                timer.stop();
                            } else {
                                timer.start(k % 2 == 0 ? Duration.ZERO : FAR);
                            }
                        }
                        if (left.decrementAndGet() == 0) {
                            timers.forEach(Timer::stop);
                            far.stop();
                        }
                    });
        }

        assertFalse(loop.run(), "every started timer was stopped, so nothing is alive");

        var seen = new ArrayList<Source>();
        loop.walk(seen::add);
        assertEquals(List.of(), seen);
        assertEquals(0, loop.stats().timers());
    }

    @Test
    void aStopThatMeetsTheCloseOfTheLoopStops() throws Exception {
        var meeting = new Meeting(1);
        var loop = fixture.open(options -> options.embedder(meeting));
        var timer = loop.after(FAR, () -> {});
        timer.unref();
        loop.runNowait();
        var stopped = new AtomicInteger();
        fixture.outside(() -> stopped.addAndGet(timer.stop() ? 1 : 0));

        meeting.begun.await();
        loop.close();
        meeting.over.countDown();

        fixture.awaitOutsiders();
        assertEquals(1, stopped.get());
        assertFalse(timer.isActive());
    }

    @Test
    void aStartThatMeetsTheCloseOfTheLoopIsRefusedAndLeavesTheTimerStopped() throws Exception {
        // The first question is whether the thread may arm it itself; the second comes when it has
        // set the deadline and is about to tell the loop.
        var meeting = new Meeting(2);
        var loop = fixture.open(options -> options.embedder(meeting));
        var timer = loop.timer(() -> {});
        loop.runNowait();
        fixture.outside(
                () -> assertThrows(RejectedExecutionException.class, () -> timer.start(FAR)));

        meeting.begun.await();
        loop.close();
        meeting.over.countDown();

        fixture.awaitOutsiders();
        assertFalse(timer.isActive());
    }

    /// Holds an outsider in the middle of a call: where the engine asks, for the n-th time, whether
    /// that thread is on the loop.
    ///
    /// **Thread:** any.
    private static final class Meeting implements Embedder {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch over = new CountDownLatch(1);
        private final AtomicInteger questions = new AtomicInteger();
        private final int which;

        Meeting(int which) {
            this.which = which;
        }

        @Override
        public boolean carries(Thread current) {
            if (questions.incrementAndGet() == which) {
                begun.countDown();
                try {
                    over.await();
                } catch (InterruptedException late) {
                    throw new AssertionError("the watchdog came", late);
                }
            }
            return false;
        }
    }
}
