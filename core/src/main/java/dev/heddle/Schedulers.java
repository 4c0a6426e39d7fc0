package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The loops that run coroutines in this JVM, and the way from a thread to its coroutine.
///
/// **Thread:** any.
final class Schedulers {
    // Few, and changed rarely: copied on every change, so that looking needs no lock.
    private static volatile Scheduler[] all = {};

    private Schedulers() {}

    static synchronized void add(Scheduler scheduler) {
        var list = new ArrayList<>(List.of(all));
        list.add(scheduler);
        all = list.toArray(Scheduler[]::new);
    }

    static synchronized void remove(Scheduler scheduler) {
        var list = new ArrayList<>(List.of(all));
        list.remove(scheduler);
        all = list.toArray(Scheduler[]::new);
    }

    /// {@return those that run at the moment}
    static List<Scheduler> running() {
        return List.of(all);
    }

    /// {@return the coroutine that calls; null if it is none}
    static @Nullable Coroutine<?> currentOrNull() {
        Thread thread = Thread.currentThread();
        for (Scheduler scheduler : all) {
            Coroutine<?> candidate = scheduler.current;
            // A plain read of what another loop may be writing: at worst it is a coroutine of that
            // loop, and never the caller.
            if (candidate != null && candidate.fiber().thread() == thread) {
                return candidate;
            }
        }
        return null;
    }

    /// {@return the loop that the caller is on, in a coroutine or in a callback; null if on none}
    ///
    /// @throws Cancellation in a coroutine whose program has ended
    static @Nullable Scheduler here() {
        Thread carrier = Carrier.current();
        for (Scheduler scheduler : all) {
            if (scheduler.thread() == carrier) {
                return scheduler;
            }
        }
        LateThreads.refuse();
        return null;
    }

    /// {@return whether the caller is on a loop, in a coroutine or in a callback}
    static boolean isHere() {
        if (all.length == 0) {
            return false;
        }
        Thread carrier = Carrier.current();
        for (Scheduler scheduler : all) {
            if (scheduler.thread() == carrier) {
                return true;
            }
        }
        return false;
    }

    /// {@return the coroutine that calls}
    ///
    /// @throws IllegalStateException if there is none; `what` is what was tried
    static Coroutine<?> current(String what) {
        Coroutine<?> current = currentOrNull();
        if (current != null) {
            return current;
        }
        Carrier.ensureReady();
        if (here() == null) {
            throw new IllegalStateException(
                    what
                            + " outside a coroutine, on "
                            + Thread.currentThread()
                            + (Thread.currentThread().isVirtual()
                                    ? ", a virtual thread that is none: spawn a coroutine instead"
                                            + " of it, or"
                                    : ":")
                            + " call it inside Heddle.run(() -> …)");
        }
        throw new IllegalStateException(
                Thread.currentThread().isVirtual()
                        // Handlers of an end run on the thread of what has ended.
                        ? what
                                + " inside a callback, which must not wait, or in a virtual thread"
                                + " that is no coroutine: spawn one there"
                        : what
                                + " inside a callback, which must not wait: spawn a coroutine"
                                + " there");
    }
}
