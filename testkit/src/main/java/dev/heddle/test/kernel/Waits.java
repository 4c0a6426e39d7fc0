package dev.heddle.test.kernel;

import dev.heddle.reactor.SimClock;

import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

/// How a wait of the simulated kernel ends: by something that is ready, by the next script, by its
/// timeout, or, while other threads are at work, by what they do. Also the kernel's lock.
///
/// **Thread:** any for [#changed]; else owner (who owns the clock, and waits).
final class Waits {
    static final long FOREVER = Long.MAX_VALUE;

    private final SimClock clock;

    // Owner only.
    private BooleanSupplier outsideWork = () -> false;

    // Under the lock, which is this object's.
    private long changes;

    Waits(SimClock clock) {
        this.clock = clock;
    }

    void holdTimeWhile(BooleanSupplier work) {
        outsideWork = work;
    }

    boolean isHeld() {
        return outsideWork.getAsBoolean();
    }

    /// Something happened that a thread asleep in [#await] should look at. The caller holds the
    /// lock.
    void changed() {
        changes++;
        notifyAll();
    }

    /// {@return what `look` found as soon as that is not 0, or 0 after the timeout}
    ///
    /// @param look is called with the lock held
    /// @param timeoutNanos negative for ever
    /// @throws IllegalStateException if the wait is for ever and nothing can end it
    int await(IntSupplier look, long timeoutNanos) {
        long end = endOf(timeoutNanos);
        while (true) {
            // Scripts and the question are other people's code: not under the lock.
            clock.runDue();
            // Asked before the look: who is not counted any more has done already what it does.
            boolean held = isHeld();
            long seen;
            synchronized (this) {
                int found = look.getAsInt();
                if (found != 0) {
                    return found;
                }
                seen = changes;
            }
            if (clock.nanos() >= end) {
                return 0;
            }
            if (held) {
                sleepWhile(seen);
            } else {
                moveOn(end);
            }
        }
    }

    // A thread that is interrupted sleeps on, and keeps its interrupt.
    private synchronized void sleepWhile(long seen) {
        boolean interrupted = false;
        while (changes == seen) {
            try {
                wait();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void moveOn(long end) {
        if (end == FOREVER && !clock.hasScripts()) {
            throw new IllegalStateException("deadlock: nothing can wake this loop");
        }
        clock.advance(end);
    }

    private long endOf(long timeoutNanos) {
        long end = clock.nanos() + timeoutNanos;
        return timeoutNanos < 0 || end < 0 ? FOREVER : end;
    }
}
