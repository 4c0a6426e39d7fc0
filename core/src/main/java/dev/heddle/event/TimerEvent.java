package dev.heddle.event;

import dev.heddle.loop.Loop;
import dev.heddle.loop.Timer;

import java.time.Duration;
import java.util.Objects;

/// Fires after a delay, once or again and again. The delay counts from [#start].
///
/// **Thread:** loop.
public final class TimerEvent extends Event<Void> {
    private final Loop loop;
    private final Timer timer;
    private long delayNanos;
    private boolean periodic;

    public TimerEvent(Loop loop) {
        this.loop = Objects.requireNonNull(loop, "loop");
        timer = loop.timer(() -> fire(null, null));
    }

    /// {@return one that fires once, `delay` after it is started}
    public static TimerEvent once(Loop loop, Duration delay) {
        return new TimerEvent(loop).set(Timer.nanosOf(delay));
    }

    /// {@return one that fires every `period` while it is started}
    public static TimerEvent every(Loop loop, Duration period) {
        long nanos = Timer.nanosOf(period);
        if (nanos == 0) {
            throw new IllegalArgumentException("period must be positive, but is zero");
        }
        var event = new TimerEvent(loop).set(nanos);
        event.periodic = true;
        return event;
    }

    public Duration delay() {
        return Duration.ofNanos(delayNanos);
    }

    /// Sets the delay of the next start.
    TimerEvent set(long nanos) {
        delayNanos = nanos;
        return this;
    }

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    protected void onStart() {
        if (is(HIDDEN) && timer.hasRef()) {
            timer.unref();
        }
        timer.startNanos(delayNanos, periodic ? delayNanos : 0);
    }

    @Override
    protected void onStop() {
        timer.stop();
    }

    /// Stops the timer of a start that ran out of stack half way: it may run, and nobody knows.
    void disarm() {
        if (timer.isActive()) {
            timer.stop();
        }
    }

    @Override
    public String info() {
        return "Timer(" + words(delayNanos) + ", " + (periodic ? "periodic)" : "once)");
    }

    private static String words(long nanos) {
        if (nanos >= 1_000_000_000L && nanos % 1_000_000_000L == 0) {
            return nanos / 1_000_000_000L + "s";
        }
        if (nanos >= 1_000_000 || nanos == 0) {
            return nanos / 1_000_000 + "ms";
        }
        return nanos + "ns";
    }
}
