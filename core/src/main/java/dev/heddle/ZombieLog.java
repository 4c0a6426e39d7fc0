package dev.heddle;

import dev.heddle.loop.Timer;

/// Reports zombies: when a coroutine becomes one, and every so often those that still are.
///
/// **Thread:** loop.
final class ZombieLog {
    private final Scheduler scheduler;
    private final Timer timer;

    ZombieLog(Scheduler scheduler) {
        this.scheduler = scheduler;
        timer = scheduler.loop.timer(this::remind);
        timer.unref();
    }

    void became(Coroutine<?> coroutine, String why) {
        report("zombie (" + why + "): ", coroutine);
        if (scheduler.zombies == 1) {
            restart();
        }
    }

    private void remind() {
        if (scheduler.zombies == 0) {
            return;
        }
        try (var all = scheduler.registry.cursor()) {
            for (var each = all.next(); each != null; each = all.next()) {
                if (each.isZombie()) {
                    report("still a zombie: ", each);
                }
            }
        }
        restart();
    }

    private void restart() {
        timer.startNanos(scheduler.options.zombieLogNanos, 0);
    }

    private void report(String what, Coroutine<?> zombie) {
        scheduler.options.report(Report.Kind.ZOMBIE, what + zombie.info(), zombie.stack());
    }
}
