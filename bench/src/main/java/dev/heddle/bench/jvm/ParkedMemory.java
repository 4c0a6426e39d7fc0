package dev.heddle.bench.jvm;

import dev.heddle.bench.race.Contestant;
import dev.heddle.bench.race.Jit;
import dev.heddle.bench.race.Sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;

/// How many bytes a parked coroutine takes: what is used while many are parked, less what was used
/// before, each time after full collections.
///
/// **Thread:** owner (the measuring thread).
final class ParkedMemory implements Contestant {
    // Frames of code that is not compiled well yet are larger, up to twice: so until the JIT has
    // had nothing to do for some rounds.
    private static final int WARM_UP_COUNT = 20_000;
    private static final int CALM_ROUNDS = 10;
    private static final int WARM_UP_ROUNDS_MAX = 100;

    // One finds what is reachable; the others what references and cleaners let go of after it.
    private static final int COLLECTIONS = 3;

    private static final MemoryMXBean MEMORY = ManagementFactory.getMemoryMXBean();
    private static final Path STATUS = Path.of("/proc/self/status");

    private final Parking parking;
    private final int count;
    private final LongSupplier used;
    private long usedWhileParked;

    private ParkedMemory(Parking parking, int count, LongSupplier used) {
        this.parking = parking;
        this.count = count;
        this.used = used;
    }

    static ParkedMemory heap(Parking parking, int count) {
        return new ParkedMemory(parking, count, ParkedMemory::heapBytes);
    }

    /// What the operating system counts as the process's own, garbage and free heap included.
    static ParkedMemory resident(Parking parking, int count) {
        return new ParkedMemory(parking, count, ParkedMemory::residentBytes);
    }

    @Override
    public Sample round(Duration atLeast) throws Exception {
        warmUp();
        long before = used.getAsLong();
        parking.hold(count, () -> usedWhileParked = used.getAsLong());
        return new Sample((double) (usedWhileParked - before) / count, Double.NaN, count);
    }

    private void warmUp() throws Exception {
        int calm = 0;
        for (int i = 0; i < WARM_UP_ROUNDS_MAX && calm < CALM_ROUNDS; i++) {
            long compiled = Jit.compiledMillis();
            parking.hold(WARM_UP_COUNT, () -> {});
            calm = Jit.compiledMillis() > compiled ? 0 : calm + 1;
        }
    }

    @Override
    public void close() {}

    private static long heapBytes() {
        collect();
        return MEMORY.getHeapMemoryUsage().getUsed();
    }

    private static long residentBytes() {
        collect();
        try (var lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElseThrow(() -> new IOException("no VmRSS in " + STATUS));
        } catch (IOException unknown) {
            throw new UncheckedIOException(unknown);
        }
    }

    // The collector is what is asked about here.
    @SuppressWarnings("SystemGc")
    private static void collect() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
    }
}
