package dev.heddle.bench.syscalls;

import dev.heddle.bench.race.Meter;
import dev.heddle.bench.race.Workload;
import dev.heddle.sys.CallState;
import dev.heddle.sys.Sys;

/// Runs a workload between two calls that strace shows, on our side; `main.c` does on the other.
///
/// **Thread:** owner (the thread that runs the loop).
public final class Marks {
    // Descriptors that cannot exist: the calls fail, cost nothing, and nobody else makes them.
    static final int BEGIN = -4242;
    static final int END = -4243;

    // So many operations at least: the JVM's own few calls on this thread must not show.
    private static final int OPERATIONS = 2000;

    private Marks() {}

    /// {@return how many operations were between the marks}
    public static int run(Workload.Opener opener) throws Exception {
        try (var workload = opener.open();
                var state = new CallState()) {
            int batches = Math.max(1, OPERATIONS / workload.operations());
            var meter = Meter.ofThread();
            meter.start();
            // Classes are loaded now, and whatever is made lazily is made.
            repeat(workload, meter, batches);
            Sys.NATIVE.close(state, BEGIN);
            repeat(workload, meter, batches);
            Sys.NATIVE.close(state, END);
            return batches * workload.operations();
        }
    }

    private static void repeat(Workload workload, Meter meter, int batches) throws Exception {
        for (int i = 0; i < batches; i++) {
            workload.batch(meter);
        }
    }
}
