package dev.heddle;

import dev.heddle.loop.Timer;

/// Reports zombies: when they become one, and every so often while they live.
///
/// Only the first few with their stacks, which take a while to walk; the others by number. A scope
/// may leave a hundred thousand behind at once.
///
/// **Thread:** loop.
final class ZombieLog {
    private static final int SHOWN_MAX = 10;

    private final Scheduler scheduler;
    private final Timer timer;

    // Those that became one within the same turn.
    private int burst;

    ZombieLog(Scheduler scheduler) {
        this.scheduler = scheduler;
        timer = scheduler.loop.timer(this::stillThere);
        timer.unref();
    }

    void became(Coroutine<?> coroutine, String why) {
        if (!timer.isActive()) {
            long period = scheduler.options.zombieLogNanos;
            timer.startNanos(period, period);
        }
        if (burst++ == 0) {
            scheduler.soon(this::endBurst);
        }
        if (burst <= SHOWN_MAX) {
            Recorder.zombie(coroutine, why);
            report("zombie (" + why + "): ", coroutine);
        }
    }

    private void endBurst() {
        if (burst > SHOWN_MAX) {
            reportRest(burst - SHOWN_MAX, " more became zombies");
        }
        burst = 0;
    }

    /// One of them has ended.
    void ended() {
        if (scheduler.zombies == 0) {
            timer.stop();
        }
    }

    private void stillThere() {
        int shown = 0;
        try (var all = scheduler.registry.cursor()) {
            for (var each = all.next(); each != null && shown < SHOWN_MAX; each = all.next()) {
                if (each.isZombie()) {
                    report("still a zombie: ", each);
                    shown++;
                }
            }
        }
        if (scheduler.zombies > shown) {
            reportRest(scheduler.zombies - shown, " more are still zombies");
        }
    }

    private void report(String what, Coroutine<?> coroutine) {
        scheduler.options.report(Report.Kind.ZOMBIE, what + coroutine.info(), coroutine.stack());
    }

    private void reportRest(int count, String what) {
        scheduler.options.report(Report.Kind.ZOMBIE, count + what);
    }
}
