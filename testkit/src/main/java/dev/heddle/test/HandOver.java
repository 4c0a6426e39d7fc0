package dev.heddle.test;

import java.util.concurrent.locks.LockSupport;

/// Waits until every coroutine that a monitor was free for has been told.
///
/// A virtual thread that waits for a monitor is woken by a thread of the JDK, some time after the
/// monitor was left. Nothing tells how long that takes, and on a busy machine it takes long. But
/// that thread takes its work in batches, one after the other: so a thread of ours is sent the same
/// way, and when that has arrived everybody before it has. It may come first within its batch,
/// hence a second and, since it may slip through without waiting, a third.
///
/// **Thread:** any platform thread.
final class HandOver {
    private static final int ROUNDS = 3;
    private static final long LOOK_NANOS = 20_000;

    private HandOver() {}

    static void await() {
        for (int i = 0; i < ROUNDS; i++) {
            sendOne();
        }
    }

    private static void sendOne() {
        var monitor = new Object();
        Thread traveller;
        synchronized (monitor) {
            traveller = Thread.ofVirtual().start(() -> enter(monitor));
            while (traveller.getState() != Thread.State.BLOCKED) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
        while (traveller.isAlive()) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    private static void enter(Object monitor) {
        synchronized (monitor) {
            assert Thread.holdsLock(monitor);
        }
    }
}
