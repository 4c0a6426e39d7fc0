package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/// Looks after the loops whose owners want no reports of blocking: only after waits that pin the
/// thread of their loop, which nobody else could end.
///
/// One thread for all of them: it looks rarely, and a thread for each would cost a short program
/// more than everything else about it. It is a daemon, and goes when nothing was there for a while.
///
/// **Thread:** any.
final class Patrol {
    private static final int ROUNDS_MAX = 10;

    // Guarded by the class.
    private static final Set<Watchdog> WATCHED = new LinkedHashSet<>();
    private static @Nullable Thread thread;

    private Patrol() {}

    static synchronized void add(Watchdog watchdog) {
        WATCHED.add(watchdog);
        if (thread == null) {
            thread = Thread.ofPlatform().daemon().name("heddle-patrol").start(Patrol::walk);
        }
    }

    static synchronized void remove(Watchdog watchdog) {
        WATCHED.remove(watchdog);
    }

    private static void walk() {
        int inVain = 0;
        while (true) {
            LockSupport.parkNanos(Patrol.class, Watchdog.PERIOD_MAX_NANOS);
            List<Watchdog> watched = watched();
            inVain = watched.isEmpty() ? inVain + 1 : 0;
            if (inVain > ROUNDS_MAX && isDismissed()) {
                return;
            }
            watched.forEach(Watchdog::lookUnlessClosed);
        }
    }

    private static synchronized List<Watchdog> watched() {
        return new ArrayList<>(WATCHED);
    }

    private static synchronized boolean isDismissed() {
        if (!WATCHED.isEmpty()) {
            return false;
        }
        thread = null;
        return true;
    }
}
