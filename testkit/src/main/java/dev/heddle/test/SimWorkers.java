package dev.heddle.test;

import dev.heddle.loop.Clock;
import dev.heddle.loop.Timer;
import dev.heddle.reactor.SimClock;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/// Workers for offloaded work in virtual time: one piece at a time, while the loop stands still.
///
/// How long a piece takes, in virtual time, is drawn from the seed, and so is the order in which
/// they end. Its body runs on a thread of its own, as it would outside of tests, and whole: it is
/// cancelled before it begins or after it has ended, never in the middle.
///
/// **Thread:** loop.
final class SimWorkers implements Executor {
    private static final Clock MACHINE = Clock.system();
    private static final int LATENCY_NANOS_MAX = 1_000_000;

    private final SimClock clock;
    private final RandomGenerator random;
    private final Settings settings;

    // In the order in which they came.
    private final Set<Runnable> pending = new LinkedHashSet<>();

    SimWorkers(SimClock clock, RandomGenerator random, Settings settings) {
        this.clock = clock;
        this.random = random;
        this.settings = settings;
    }

    @Override
    public void execute(Runnable job) {
        long latency = settings.isSeeded() ? random.nextInt(LATENCY_NANOS_MAX) : 0;
        pending.add(job);
        clock.at(clock.nanos() + latency, () -> runIfPending(job));
    }

    /// Lets everything end as soon as the loop looks, however long it was going to take.
    void hurry() {
        pending.forEach(job -> clock.at(clock.nanos(), () -> runIfPending(job)));
    }

    private void runIfPending(Runnable job) {
        if (pending.remove(job)) {
            runAlone(job);
        }
    }

    private void runAlone(Runnable job) {
        var thread = Thread.ofPlatform().daemon().name("heddle-test-worker").start(job);
        if (!join(thread)) {
            throw new RealBlockingError(
                    "an offloaded body has not ended, and in virtual time the loop waits for it:"
                            + " does it wait for a coroutine? Then test it with virtualTime ="
                            + " false",
                    List.of(thread.getStackTrace()));
        }
    }

    private boolean join(Thread thread) {
        Duration limit = settings.limit().isZero() ? Settings.USUAL_LIMIT : settings.limit();
        // Half of it: so that this message comes before the one that only says that it hangs.
        long end = MACHINE.nanos() + Timer.nanosOf(limit) / 2;
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return thread.join(Duration.ofNanos(end - MACHINE.nanos()));
                } catch (InterruptedException meantForTheLoop) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
