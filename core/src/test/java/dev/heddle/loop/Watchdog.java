package dev.heddle.loop;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Ends a test that takes too long: prints every stack, stops its loops and interrupts its threads.
///
/// JUnit's `@Timeout` will not do. It interrupts the thread that runs the test, which is the
/// loop's, and a loop is not stopped by an interrupt.
///
/// **Thread:** owner (the test), except [#bark].
final class Watchdog {
    // The name makes the leak check take it for the test runner's own.
    private static final ScheduledThreadPoolExecutor CLOCK =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().daemon().name("junit-watchdog").factory());

    // Added to by the test, read by the watchdog.
    private final List<Loop> loops = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    // Written by the watchdog, read by the test.
    private volatile boolean barked;

    private ScheduledFuture<?> alarm = CLOCK.schedule(() -> {}, 0, TimeUnit.NANOSECONDS);

    /// Barks `limit` from now, unless told otherwise by then.
    void watch(Duration limit) {
        rest();
        var test = Thread.currentThread();
        alarm = CLOCK.schedule(() -> bark(test), limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    void rest() {
        alarm.cancel(false);
    }

    void add(Loop loop) {
        loops.add(loop);
    }

    void add(Thread thread) {
        threads.add(thread);
    }

    boolean hasBarked() {
        return barked;
    }

    private void bark(Thread test) {
        barked = true;
        System.err.print(stacks());
        loops.forEach(Loop::stop);
        threads.forEach(Thread::interrupt);
        test.interrupt();
    }

    private static String stacks() {
        var text = new StringBuilder("WATCHDOG: a test is not done after its time is over\n");
        for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
            text.append(each.getKey()).append('\n');
            for (var frame : each.getValue()) {
                text.append("    at ").append(frame).append('\n');
            }
        }
        return text.toString();
    }
}
