package dev.heddle.loop;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongArray;

/// The numbers behind [LoopStats]: written by the loop, read by anybody.
///
/// One writer, so no atomic additions: a plain read and an ordered store, which cost no more than a
/// field does. A reader sees each number whole and never going back.
///
/// **Thread:** loop writes, any reads.
final class Counters {
    static final int TURNS = 0;
    static final int POLLS = 1;
    static final int EVENTS = 2;
    static final int EVENTS_WAITING = 3;
    static final int TASKS = 4;
    static final int ERRORS = 5;
    static final int IDLE_NANOS = 6;
    static final int LAG_NANOS = 7;
    static final int LAG_MAX_NANOS = 8;
    static final int READY = 9;
    static final int TIMERS = 10;
    static final int WATCHES = 11;
    static final int BACKLOG_NANOS = 12;
    static final int BACKLOG_MAX_NANOS = 13;

    /// The round that the loop is behind with; 0 while it keeps up.
    static final int BEHIND = 14;

    private static final int COUNT = 15;

    private final AtomicLongArray values = new AtomicLongArray(COUNT);

    void add(int counter, long amount) {
        values.setRelease(counter, values.getPlain(counter) + amount);
    }

    void set(int counter, long value) {
        values.setRelease(counter, value);
    }

    void raise(int counter, long value) {
        if (value > values.getPlain(counter)) {
            values.setRelease(counter, value);
        }
    }

    long get(int counter) {
        return values.get(counter);
    }

    LoopStats snapshot(int workPending) {
        return new LoopStats(
                values.get(TURNS),
                values.get(POLLS),
                values.get(EVENTS),
                values.get(EVENTS_WAITING),
                values.get(TASKS),
                values.get(ERRORS),
                Duration.ofNanos(values.get(IDLE_NANOS)),
                Duration.ofNanos(values.get(LAG_NANOS)),
                Duration.ofNanos(values.get(LAG_MAX_NANOS)),
                Duration.ofNanos(values.get(BACKLOG_NANOS)),
                Duration.ofNanos(values.get(BACKLOG_MAX_NANOS)),
                (int) values.get(READY),
                (int) values.get(TIMERS),
                (int) values.get(WATCHES),
                workPending);
    }
}
