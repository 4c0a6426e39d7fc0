package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.fail;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Interest;
import dev.heddle.reactor.ReadyEvents;
import dev.heddle.reactor.SimReactor;
import dev.heddle.sys.Sys;
import dev.heddle.test.Leaks;
import dev.heddle.testing.Pipes;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/// Loops of one backend for one test, and the proof that the test left nothing behind.
///
/// Use it as `@RegisterExtension final LoopFixture fixture = new LoopFixture(backend());`. A
/// backend that the machine refuses skips the test, and says why on standard error.
///
/// Afterwards every loop must be idle: one that is still alive fails the test, and is shut down.
/// Then descriptors, native memory and threads are compared with what they were before.
///
/// **Thread:** owner (the test).
final class LoopFixture implements BeforeEachCallback, AfterEachCallback {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static boolean sharedWorkersStarted;

    private final Backend backend;
    private final Watchdog watchdog = new Watchdog();
    private final Leaks leaks = new Leaks();
    private final Pipes pipes = new Pipes();
    private final List<Loop> loops = new ArrayList<>();
    private final List<Outsider> outsiders = new ArrayList<>();
    private final List<WorkerPool> pools = new ArrayList<>();
    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private Set<Thread> threadsBefore = Set.of();
    private SimReactor sim = new SimReactor();

    // How many outsiders are at work, for the simulated clock. Any thread.
    private final AtomicInteger working = new AtomicInteger();

    LoopFixture(Backend backend) {
        this.backend = backend;
    }

    /// {@return a new loop, which the calling thread may set up}
    Loop open() throws IOException {
        return open(UnaryOperator.identity());
    }

    /// [#open()] with other options than the backend's. Unless they name an error handler, an error
    /// fails the test: thrown in a callback, a failed assertion would reach nobody else.
    Loop open(UnaryOperator<LoopOptions> change) throws IOException {
        var options = change.apply(options());
        boolean handled = options.errorHandler.isPresent();
        return keep(
                Loop.open(handled ? options : options.onError((error, _) -> errors.add(error))));
    }

    /// {@return a loop that reports errors to its thread's handler, as loops do by default}
    Loop openWithoutErrorHandler() throws IOException {
        return keep(Loop.open(options()));
    }

    /// {@return the backend of this fixture; if it is simulated, with a new kernel and a new clock}
    LoopOptions options() {
        if (!isSimulated()) {
            return LoopOptions.defaults().backend(backend);
        }
        // By a local name: several threads of a test may be here at once.
        var kernel = new SimReactor();
        kernel.holdTimeWhile(() -> working.get() > 0);
        sim = kernel;
        return LoopOptions.defaults().reactor(kernel, kernel::nanos);
    }

    /// {@return a random seed, or the one that the system property `heddle.seed` repeats; printed}
    static long seed() {
        long seed = Long.getLong("heddle.seed", System.nanoTime());
        System.out.println("seed " + seed);
        return seed;
    }

    boolean isSimulated() {
        return backend == Backend.SIM;
    }

    /// {@return the simulated kernel of the loop opened last}
    SimReactor sim() {
        return sim;
    }

    /// {@return the time by which the loop opened last goes}
    long nanos() {
        return isSimulated() ? sim.nanos() : Clock.system().nanos();
    }

    /// Lets time go by without the loop: computes, so to speak. Not while a simulated loop may be
    /// woken or has a descriptor that is ready: this would swallow both.
    void spend(Duration time) {
        long end = nanos() + time.toNanos();
        var events = new ReadyEvents(1);
        while (nanos() < end) {
            if (isSimulated()) {
                sim.poll(events, end - nanos());
            } else {
                Thread.onSpinWait();
            }
        }
    }

    /// {@return a descriptor with nothing to read, open until the test ends}
    int silent() {
        return isSimulated() ? sim.open() : pipes.wire().fd();
    }

    /// {@return a descriptor with something to read, open until the test ends}
    int readable() {
        if (isSimulated()) {
            int fd = sim.open();
            sim.ready(fd, Interest.READ);
            return fd;
        }
        var wire = pipes.wire();
        wire.send();
        return wire.fd();
    }

    /// Starts another thread. Until it has ended, a simulated clock stands still. The test waits
    /// for its end and fails with what it threw.
    Outsider outside(Outsider.Body body) {
        var kernel = sim;
        working.incrementAndGet();
        return start(new Outsider(body, () -> stopCounting(kernel)));
    }

    /// [#outside] for a thread that runs a loop itself: a simulated clock goes on.
    Outsider runner(Outsider.Body body) {
        return start(new Outsider(body, () -> {}));
    }

    /// Waits until every outsider has ended; fails with what one threw.
    void awaitOutsiders() {
        outsiders.forEach(Outsider::awaitEnd);
    }

    /// {@return workers of this test alone}
    WorkerPool workers(int threads, int queueLimit) {
        var pool = new WorkerPool(threads, queueLimit);
        pools.add(pool);
        return pool;
    }

    /// Gives a test that has much to do more time than the usual five seconds.
    void limit(Duration limit) {
        watchdog.watch(limit);
    }

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        skipIfRefused(context.getDisplayName());
        startSharedWorkers();
        threadsBefore = Thread.getAllStackTraces().keySet();
        limit(LIMIT);
        leaks.beforeEach(context);
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        boolean failed = context.getExecutionException().isPresent();
        // The watchdog's, which has done its work by now.
        Thread.interrupted();
        try {
            awaitOutsiders();
        } finally {
            endLoops(failed);
            pipes.close();
            pools.forEach(WorkerPool::close);
            awaitThreads();
            watchdog.rest();
        }
        if (!errors.isEmpty()) {
            throw new AssertionError("a callback threw, or a loop is still alive", errors.peek());
        }
        if (watchdog.hasBarked()) {
            fail("the watchdog had to end this test; the stacks are on standard error");
        }
        leaks.afterEach(context);
    }

    private Outsider start(Outsider outsider) {
        outsiders.add(outsider);
        watchdog.add(outsider.thread);
        outsider.thread.start();
        return outsider;
    }

    private Loop keep(Loop loop) {
        loops.add(loop);
        watchdog.add(loop);
        return loop;
    }

    private void skipIfRefused(String test) {
        try (var reactor = backend.reactor(Sys.NATIVE)) {
            assert reactor.backend() == backend;
        } catch (IOException refused) {
            System.err.println("SKIPPED " + test + ": " + refused.getMessage());
            Assumptions.abort(refused.getMessage());
        }
    }

    // A failed test may leave its loop in any state, and has said what there is to say.
    private void endLoops(boolean failed) throws IOException {
        for (var loop : loops) {
            try {
                loop.close();
            } catch (IllegalStateException alive) {
                loop.shutdown(Duration.ZERO);
                if (!failed) {
                    errors.add(alive);
                }
            }
        }
    }

    // Twice: the first wake makes the loop see what the outsider did, the second that the clock may
    // go on, if the loop went back to its wait in between.
    private void stopCounting(SimReactor kernel) {
        kernel.wake();
        working.decrementAndGet();
        kernel.wake();
    }

    // Those that end by themselves soon: workers of a closed pool, the reporter of errors.
    private void awaitThreads() throws InterruptedException {
        for (var thread : Thread.getAllStackTraces().keySet()) {
            if (!threadsBefore.contains(thread) && thread.getName().startsWith("heddle-")) {
                thread.join(LIMIT);
            }
        }
    }

    // The shared pool's threads live as long as the process, so they must be there before a test
    // looks.
    private static synchronized void startSharedWorkers() {
        if (sharedWorkersStarted) {
            return;
        }
        sharedWorkersStarted = true;
        var pool = WorkerPool.shared();
        var all = new CyclicBarrier(pool.threads() + 1);
        for (int i = 0; i < pool.threads(); i++) {
            pool.execute(() -> pass(all));
        }
        pass(all);
    }

    private static void pass(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception broken) {
            throw new AssertionError(broken);
        }
    }

    /// Another thread of the test.
    ///
    /// **Thread:** owner (the test).
    static final class Outsider {
        /// What it does.
        @FunctionalInterface
        interface Body {
            void run() throws Exception;
        }

        final Thread thread;
        private final FutureTask<Void> task;

        private Outsider(Body body, Runnable atEnd) {
            task =
                    new FutureTask<>(
                            () -> {
                                try {
                                    body.run();
                                } finally {
                                    atEnd.run();
                                }
                                return null;
                            });
            thread = Thread.ofPlatform().name("outsider").unstarted(task);
        }

        /// Waits for its end, and passes on what it threw.
        void awaitEnd() {
            try {
                if (!thread.join(LIMIT)) {
                    throw new AssertionError("an outsider does not end: " + thread);
                }
            } catch (InterruptedException interrupted) {
                throw new AssertionError("interrupted while waiting for an outsider", interrupted);
            }
            if (task.state() == FutureTask.State.FAILED) {
                throw new AssertionError("an outsider failed", task.exceptionNow());
            }
        }
    }
}
