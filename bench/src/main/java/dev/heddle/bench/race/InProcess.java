package dev.heddle.bench.race;

import java.io.IOException;
import java.time.Duration;

/// A side that runs in this JVM, on the calling thread.
///
/// **Thread:** owner (the measuring thread).
public final class InProcess implements Contestant {
    private final Workload workload;
    private final Meter meter;

    public InProcess(Workload workload) {
        this.workload = workload;
        this.meter = workload.newMeter();
    }

    @Override
    public Sample round(Duration atLeast) throws Exception {
        long enough = atLeast.toNanos();
        long operations = 0;
        meter.start();
        do {
            workload.batch(meter);
            operations += workload.operations();
        } while (meter.wallNanos() < enough);
        return meter.stop(operations);
    }

    @Override
    public Warmth warmth() {
        return Warmth.UNTIL_CALM;
    }

    @Override
    public long compiledMillis() {
        return Jit.compiledMillis();
    }

    @Override
    public void close() throws IOException {
        workload.close();
    }
}
