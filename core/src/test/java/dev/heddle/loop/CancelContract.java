package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/// What becomes of work that is cancelled, whose pool is closed, or whose loop ends: on every
/// backend.
///
/// **Thread:** owner (the test runner).
abstract class CancelContract extends LoopTestCase {
    private final List<String> trail = new ArrayList<>();

    CancelContract(Backend backend) {
        super(backend);
    }

    private Loop open(WorkerPool pool) throws IOException {
        var loop = fixture.open(options -> options.workers(pool));
        expectOthers();
        return loop;
    }

    // L57
    @Test
    void workThatWaitsCanBeTakenBackAndItsOwnerIsToldLater() throws IOException {
        var pool = fixture.workers(1, 10);
        var loop = open(pool);
        var gate = occupy(loop);
        var ran = new AtomicInteger();
        var work = loop.submit(ran::incrementAndGet, told("queued"));
        assertEquals(1, pool.queued());

        assertTrue(work.cancel());
        assertEquals(List.of(), trail, "nobody is called from inside cancel");
        assertEquals(Work.State.CANCELLED, work.state());
        assertEquals(0, pool.queued());
        assertFalse(work.cancel(), "only once");
        loop.runNowait();
        assertEquals(List.of("queued cancelled"), trail);

        gate.countDown();
        assertFalse(loop.run());
        assertEquals(0, ran.get());
        assertEquals(List.of("queued cancelled", "occupied done"), trail);
        assertFalse(work.cancel(), "nor afterwards");
    }

    // L58
    @Test
    void workThatRunsCannotBeTakenBackAndCompletesOnce() throws IOException {
        var loop = open(fixture.workers(1, 10));
        var begun = new CountDownLatch(1);
        var gate = new CountDownLatch(1);
        var work =
                loop.submit(
                        () -> {
                            begun.countDown();
                            gate.await();
                            return "";
                        },
                        told("running"));
        await(begun);

        assertEquals(Work.State.RUNNING, work.state());
        assertFalse(work.cancel());
        gate.countDown();
        assertFalse(loop.run());

        assertEquals(List.of("running done"), trail);
        assertFalse(work.cancel());
        assertEquals(Work.State.DONE, work.state());
    }

    // L59
    @Test
    void everyKindOfWorkCanBeTakenBack() throws IOException {
        var pool = fixture.workers(1, 10);
        var loop = open(pool);
        var gate = occupy(loop);
        var path = Path.of("no", "such", "file");
        var kinds = new LinkedHashMap<String, Callable<Object>>();
        kinds.put("address", () -> InetAddress.getByName("localhost"));
        kinds.put("name", () -> InetAddress.getLoopbackAddress().getCanonicalHostName());
        kinds.put("random", () -> new SecureRandom().nextInt());
        kinds.put("work", () -> 6 * 7);
        kinds.put("read", () -> Files.readAllBytes(path));
        kinds.put("write", () -> Files.write(path, new byte[1]));
        kinds.put("list", () -> Files.list(path));
        var begun = new ConcurrentLinkedQueue<String>();
        var works = new ArrayList<Work<Object>>();
        kinds.forEach(
                (name, body) ->
                        works.add(
                                loop.submit(
                                        pool,
                                        name.endsWith("e") ? Lane.SLOW : Lane.NORMAL,
                                        () -> {
                                            begun.add(name);
                                            return body.call();
                                        },
                                        told(name))));

        works.forEach(work -> assertTrue(work.cancel()));
        loop.runNowait();

        assertEquals(kinds.keySet().stream().map(name -> name + " cancelled").toList(), trail);
        gate.countDown();
        loop.run();
        assertEquals(List.of(), List.copyOf(begun));
    }

    @Test
    void workCanBeTakenBackFromAGivenExecutorAndFromAnotherThread() throws IOException {
        var jobs = new ArrayList<Runnable>();
        var loop = fixture.open(options -> options.workers(jobs::add));
        expectOthers();
        var work = loop.submit(() -> trail.add("ran"), told("kept"));

        fixture.outside(() -> assertTrue(work.cancel()));
        assertFalse(loop.run());
        jobs.forEach(Runnable::run);

        assertEquals(List.of("kept cancelled"), trail);
        assertFalse(loop.alive());
    }

    @Test
    void ofACancelAndABeginExactlyOneWins() throws IOException {
        fixture.limit(Duration.ofSeconds(20));
        var loop = open(fixture.workers(1, 10));
        var rounds = 2000;
        var ran = new AtomicInteger();
        var ended = new LinkedHashMap<String, Integer>(Map.of("done", 0, "cancelled", 0));
        var won = 0;
        for (int round = 0; round < rounds; round++) {
            var work =
                    loop.submit(
                            ran::incrementAndGet,
                            new Work.Completion<Integer>() {
                                @Override
                                public void done(Integer result, Throwable error) {
                                    ended.merge("done", 1, Integer::sum);
                                }

                                @Override
                                public void cancelled() {
                                    ended.merge("cancelled", 1, Integer::sum);
                                }
                            });
            for (int i = 0; i < round % 64; i++) {
                Thread.onSpinWait();
            }
            won += work.cancel() ? 1 : 0;
            runOneOfMany(loop);
        }

        assertEquals(Map.of("done", rounds - won, "cancelled", won), ended);
        assertEquals(rounds - won, ran.get());
        assertEquals(0, loop.stats().work());
    }

    @Test
    void aPoolThatClosesTellsTheLoopsWhoseWorkItWillNotRun() throws IOException {
        var pool = fixture.workers(1, 10);
        var loop = open(pool);
        var gate = occupy(loop);
        loop.submit(() -> trail.add("ran"), told("normal"));
        loop.submit(pool, Lane.SLOW, () -> trail.add("ran"), told("slow"));

        pool.close();
        gate.countDown();
        assertFalse(loop.run());

        trail.sort(null);
        assertEquals(List.of("normal cancelled", "occupied done", "slow cancelled"), trail);
        assertThrows(RejectedExecutionException.class, () -> loop.submit(() -> "", told("late")));
        assertFalse(loop.alive());
    }

    // L64
    @Test
    void aLoopCannotBeClosedWhileWorkIsUnderWay() throws IOException {
        var loop = open(fixture.workers(1, 10));
        var gate = occupy(loop);

        var refused = assertThrows(IllegalStateException.class, loop::close);

        assertTrue(refused.getMessage().contains("1 pieces of work"), refused.getMessage());
        gate.countDown();
        assertFalse(loop.run());
        assertEquals(List.of("occupied done"), trail);
    }

    // L64
    @Test
    void workThatOutlivesItsLoopCallsNobody() throws IOException {
        var pool = fixture.workers(1, 10);
        var loop = open(pool);
        var gate = occupy(loop);
        var waiting = loop.submit(() -> trail.add("ran"), told("waiting"));

        loop.shutdown(Duration.ZERO);
        gate.countDown();
        var after = new CountDownLatch(1);
        pool.execute(after::countDown);
        await(after);

        assertEquals(List.of(), trail);
        assertEquals(Work.State.CANCELLED, waiting.state(), "the loop is gone, so it never began");
        assertFalse(loop.alive());
    }

    @Test
    void shutdownWaitsForWorkThatRunsAndCancelsWhatHasNotBegun() throws IOException {
        var loop = open(fixture.workers(1, 10));
        var gate = occupy(loop);
        loop.submit(() -> trail.add("ran"), told("waiting"));
        loop.post(gate::countDown);

        loop.shutdown(Duration.ofSeconds(4));

        trail.sort(null);
        assertEquals(List.of("occupied done", "waiting cancelled"), trail);
    }

    @Test
    void submitAfterCloseIsRefusedWhateverTheThread() throws IOException {
        var pool = fixture.workers(1, 10);
        var loop = open(pool);
        loop.close();

        for (int i = 0; i < 2; i++) {
            assertThrows(
                    RejectedExecutionException.class, () -> loop.submit(() -> "", told("late")));
        }
        fixture.outside(
                        () ->
                                assertThrows(
                                        RejectedExecutionException.class,
                                        () -> loop.submit(() -> "", told("late"))))
                .awaitEnd();

        assertEquals(0, pool.queued());
        assertEquals(0, loop.stats().work());
        assertFalse(loop.alive());
    }

    @Test
    void itSaysWhatItIsAbout() throws IOException {
        var jobs = new ArrayList<Runnable>();
        var loop = fixture.open(options -> options.workers(jobs::add));
        var work = loop.submit(new Named(), told("named"));

        assertEquals("Work(QUEUED, sum)", work.toString());
        jobs.forEach(Runnable::run);
        loop.run();
        assertEquals("Work(DONE, sum)", work.toString());
    }

    /// Keeps the loop's only worker busy until the latch is counted down.
    private CountDownLatch occupy(Loop loop) {
        var begun = new CountDownLatch(1);
        var gate = new CountDownLatch(1);
        loop.submit(
                () -> {
                    begun.countDown();
                    gate.await();
                    return "";
                },
                told("occupied"));
        await(begun);
        return gate;
    }

    private Work.Completion<Object> told(String name) {
        return new Work.Completion<>() {
            @Override
            public void done(Object result, Throwable error) {
                trail.add(name + " done");
            }

            @Override
            public void cancelled() {
                trail.add(name + " cancelled");
            }
        };
    }

    private record Named() implements Callable<Integer> {
        @Override
        public Integer call() {
            return 1 + 1;
        }

        @Override
        public String toString() {
            return "sum";
        }
    }
}
