package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Interest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;

/// Which thread may do what with a loop, on every backend.
///
/// **Thread:** owner (the test runner).
abstract class LoopThreadsContract {
    private static final Duration FAR = Duration.ofDays(1);

    @RegisterExtension final LoopFixture fixture;

    LoopThreadsContract(Backend backend) {
        fixture = new LoopFixture(backend);
    }

    @Test
    void callbacksRunOnTheThreadThatRunsTheLoop() throws IOException {
        var loop = fixture.open();
        var threads = new ArrayList<Thread>();
        fixture.outside(() -> loop.post(() -> threads.add(Thread.currentThread()))).awaitEnd();
        loop.after(Duration.ZERO, () -> threads.add(Thread.currentThread()));

        loop.run();

        assertEquals(List.of(Thread.currentThread(), Thread.currentThread()), threads);
    }

    @Test
    void anotherThreadIsToldWhoseTheLoopIsAndWhatToCall() throws IOException {
        var loop = fixture.open();
        var timer = loop.after(FAR, () -> {});
        loop.runNowait();
        var refusals = new ArrayList<WrongThreadException>();

        fixture.outside(
                        () -> {
                            Thread.currentThread().setName("stranger");
                            for (var call : callsOfTheLoopsThread(loop, timer)) {
                                refusals.add(assertThrows(WrongThreadException.class, call::run));
                            }
                        })
                .awaitEnd();

        for (var refused : refusals) {
            String message = refused.getMessage();
            assertTrue(message.contains("thread " + Thread.currentThread().getName()), message);
            assertTrue(message.contains("stranger"), message);
            assertTrue(message.contains("loop.post"), message);
        }
        assertEquals(1, loop.stats().turns(), "nothing was run");
        assertTrue(timer.isActive());
        timer.stop();
    }

    @Test
    void theThreadThatOpensALoopMayHandItToTheOneThatRunsIt() throws IOException {
        var loop = fixture.open();
        var threads = new ArrayList<Thread>();
        loop.after(Duration.ofMillis(1), () -> threads.add(Thread.currentThread()));
        var hook = loop.onPrepare(() -> threads.add(Thread.currentThread()));
        hook.unref();
        loop.post(() -> threads.add(Thread.currentThread()));

        var runner = fixture.runner(loop::run);
        runner.awaitEnd();

        assertEquals(List.of(runner.thread), threads.stream().distinct().toList());
        assertFalse(loop.isOnLoop(), "it is the runner's for good");
    }

    @Test
    void whatTheOpenerPostsWhileAnotherThreadBeginsToRunIsNotLost() throws Exception {
        int rounds = 100;
        int posts = 50;
        for (int round = 0; round < rounds; round++) {
            var loop = fixture.open();
            var ran = new AtomicInteger();
            var keep = loop.timer(() -> {}).start(FAR);
            var begin = new CyclicBarrier(2);
            var runner = fixture.outside(() -> runFrom(begin, loop));
            begin.await();
            for (int i = 0; i < posts; i++) {
                loop.post(ran::incrementAndGet);
                loop.after(Duration.ZERO, ran::incrementAndGet);
            }
            loop.post(keep::stop);
            runner.awaitEnd();

            assertEquals(2 * posts, ran.get(), "in round " + round);
            loop.close();
        }
    }

    @Test
    void aLoopWhoseThreadHasEndedMayBeTakenOver() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        loop.post(
                () -> {
                    trail.add("first");
                    loop.post(() -> trail.add("second"));
                    loop.after(Duration.ofMillis(1), () -> trail.add("third"));
                });
        fixture.runner(loop::runNowait).awaitEnd();
        assertEquals(List.of("first"), trail);

        assertFalse(loop.run());

        assertEquals(List.of("first", "second", "third"), trail);
        assertTrue(loop.isOnLoop());
    }

    @Test
    void aLoopWhoseThreadHasEndedMayBeShutDown() throws IOException {
        var loop = fixture.open();
        var watch = loop.watch(fixture.silent(), Interest.READ, (_, _) -> {});
        var timer = loop.after(FAR, () -> {});
        fixture.runner(loop::runNowait).awaitEnd();

        loop.shutdown(FAR);

        assertTrue(watch.isClosed());
        assertTrue(timer.isClosed());
    }

    @Test
    void aLoopThatWatchesMayBeClosedByAnotherThreadThanTheOneThatRanIt() throws IOException {
        var loop = fixture.open();
        var watch = loop.watch(fixture.silent(), Interest.READ, (_, _) -> {});
        watch.unref();
        loop.runNowait();

        fixture.outside(loop::close).awaitEnd();

        assertFalse(watch.isActive());
    }

    @Test
    void anInterruptDoesNotEndARun() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        loop.after(Duration.ofMillis(1), calls::incrementAndGet);
        Thread.currentThread().interrupt();

        assertFalse(loop.run());

        assertEquals(1, calls.get());
        assertTrue(Thread.interrupted(), "and is left for whom it may concern");
    }

    @Test
    void aLoopThatRunsCannotBeRunByAnotherThread() throws IOException {
        var loop = fixture.open();
        var running = new CountDownLatch(1);
        var refused = new ArrayList<String>();
        fixture.outside(
                () -> {
                    running.await();
                    for (var call : waysToRun(loop)) {
                        refused.add(
                                assertThrows(IllegalStateException.class, call::run).getMessage());
                    }
                    refused.add(
                            assertThrows(IllegalStateException.class, loop::close).getMessage());
                    loop.stop();
                });
        var far = loop.after(FAR, () -> {});
        loop.post(running::countDown);

        assertTrue(loop.run());

        String name = Thread.currentThread().getName();
        assertEquals(waysToRun(loop).size() + 1, refused.size());
        assertTrue(refused.stream().allMatch(message -> message.contains(name)), refused::toString);
        far.stop();
    }

    @Test
    void ofTwoThreadsThatRunALoopAtOnceOneIsRefused() throws Exception {
        for (int round = 0; round < 200; round++) {
            var loop = fixture.open();
            var begin = new CyclicBarrier(2);
            var refusals = new AtomicInteger();
            LoopFixture.Outsider.Body runOnce =
                    () -> {
                        begin.await();
                        try {
                            loop.runNowait();
                        } catch (IllegalStateException | WrongThreadException refused) {
                            refusals.incrementAndGet();
                        }
                    };
            var one = fixture.outside(runOnce);
            var two = fixture.outside(runOnce);
            one.awaitEnd();
            two.awaitEnd();

            // The first may have ended before the second came, which then took the loop over.
            assertEquals(2 - loop.stats().turns(), refusals.get(), "in round " + round);
            loop.close();
        }
    }

    @Test
    void aVirtualThreadCannotRunALoop() throws Exception {
        var loop = fixture.open();
        var refused = new ArrayList<String>();
        var virtual =
                Thread.ofVirtual()
                        .name("virtual-one")
                        .start(
                                () -> {
                                    for (var call : waysToRun(loop)) {
                                        refused.add(
                                                assertThrows(IllegalStateException.class, call::run)
                                                        .getMessage());
                                    }
                                });
        virtual.join();

        assertEquals(waysToRun(loop).size(), refused.size());
        assertTrue(refused.getFirst().contains("virtual-one"), refused::getFirst);
        assertFalse(loop.run(), "it is still free for a thread that can");
    }

    private static void runFrom(CyclicBarrier begin, Loop loop) throws Exception {
        begin.await();
        loop.run();
    }

    private static List<Call> waysToRun(Loop loop) {
        return List.of(
                loop::run,
                loop::runOnce,
                loop::runNowait,
                () -> loop.runOnce(Duration.ZERO),
                () -> loop.runFor(Duration.ZERO),
                () -> loop.shutdown(Duration.ZERO));
    }

    private static List<Call> callsOfTheLoopsThread(Loop loop, Timer timer) {
        var calls = new ArrayList<>(waysToRun(loop));
        calls.addAll(
                List.of(
                        () -> loop.onIdle(() -> {}),
                        () -> loop.onPrepare(() -> {}),
                        () -> loop.onCheck(() -> {}),
                        () -> loop.async(),
                        () -> loop.async(() -> {}),
                        () -> loop.onSignal("WINCH", () -> {}),
                        () -> loop.watch(0, (_, _) -> {}),
                        () -> loop.walk(_ -> {}),
                        loop::updateNow,
                        loop::backendFd,
                        loop::backendTimeout,
                        timer::ref,
                        timer::unref,
                        timer::close));
        return calls;
    }

    /// A call that may fail.
    @FunctionalInterface
    private interface Call {
        void run() throws IOException;
    }
}
