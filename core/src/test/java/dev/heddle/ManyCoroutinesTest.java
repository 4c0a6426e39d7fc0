package dev.heddle;

import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.testing.ChildJvm;
import dev.heddle.testing.Depth;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// Very many coroutines that wait for one thing and are woken together: how long that takes and
/// what each of them costs. In a JVM of its own, with a heap that does not grow.
///
/// Times have an allowance, since the machine that this runs on may be busy; memory has none. The
/// figures are printed.
final class ManyCoroutinesTest {
    private static final int ALLOWANCE = 4;
    private static final Path STATUS = Path.of("/proc/self/status");

    // Few threads for the collector: with many, each brings its own buffers. It is to take all that
    // is garbage, not to leave the last twentieth. Whoever calls what is to be compiled waits for
    // that: interpreted frames are bigger, and a busy machine would have more of them.
    private static final List<String> FLAGS =
            List.of("-XX:+UseSerialGC", "-XX:MarkSweepAlwaysCompactCount=1", "-Xmn64m", "-Xbatch");

    @Test
    @Tag("LS-01")
    void aHundredThousandParkAndResumeInThreeSecondsAtTwoAndAHalfKilobytesEach() throws Exception {
        Assumptions.assumeTrue(Files.exists(STATUS), "SKIPPED: only Linux tells the resident size");

        var figures = measure("LS-01", 100_000, "-Xms512m", "-Xmx512m");

        assertTrue(
                figures.get("seconds") <= 3 * ALLOWANCE, "took " + figures.get("seconds") + " s");
        assertTrue(figures.get("bytes") <= 2.5 * 1024, "cost " + figures.get("bytes") + " B each");
        // Else they lie where something else has lain before, and the figure says nothing.
        assertTrue(
                figures.get("bytes") >= 0.9 * figures.get("heap"),
                () -> "resident pages were not counted: " + figures);
    }

    @Test
    @Tag("LS-02")
    void aMillionParkAndResumeAndLeaveNothing() throws Exception {
        Depth.assumeDeep("a million coroutines");
        Assumptions.assumeTrue(Files.exists(STATUS), "SKIPPED: only Linux tells the resident size");

        var figures = measure("LS-02", 1_000_000, "-Xms3g", "-Xmx3g");

        double spawns = 1_000_000 / figures.get("spawning");
        double resumes = 1_000_000 / figures.get("resuming");
        assertTrue(spawns >= 200_000.0 / ALLOWANCE, "spawned " + spawns + " a second");
        assertTrue(resumes >= 60_000.0 / ALLOWANCE, "resumed " + resumes + " a second");
        assertTrue(figures.get("heap") <= 1536, "cost " + figures.get("heap") + " B of heap each");
        assertTrue(figures.get("left") <= 16 << 20, "left " + figures.get("left") + " B");
    }

    private static Map<String, Double> measure(String gate, int count, String... heap)
            throws IOException, InterruptedException {
        var flags = new ArrayList<>(FLAGS);
        flags.addAll(List.of(heap));
        var child = ChildJvm.run(Program.class, flags, String.valueOf(count));
        assertEquals(0, child.exit(), child.output());
        System.out.println(gate + ": " + count + " coroutines, " + child.figures());
        return child.figures();
    }

    /// What the child runs.
    static final class Program {
        private final int count;
        private final AtomicInteger ended = new AtomicInteger();

        private Program(int count) {
            this.count = count;
        }

        public static void main(String[] args) throws IOException {
            var options = Heddle.with().blockedAfter(Duration.ZERO);
            // Warm: the young generation is touched, the code is there. In small portions, so that
            // the old generation is not: what the measured ones take there is new to the process.
            for (int i = 0; i < 50; i++) {
                options.run(() -> new Program(1_000).round(false));
            }
            long before = heap();
            options.run(() -> new Program(Integer.parseInt(args[0])).round(true));
            tell("left", heap() - before);
        }

        private void round(boolean told) throws IOException {
            long heapBefore = heap();
            long residentBefore = resident();
            long began = System.nanoTime();
            var gate = new Promise<Integer>();
            var door = gate.deferred();
            for (int i = 0; i < count; i++) {
                spawn(() -> pass(door));
            }
            suspend();
            long parked = System.nanoTime();
            // First the heap, which collects: garbage is no cost of theirs.
            long heap = told ? heap() - heapBefore : 0;
            long resident = resident() - residentBefore;
            long resumed = System.nanoTime();
            gate.complete(1);
            while (ended.get() < count) {
                suspend();
            }
            long over = System.nanoTime();
            if (told) {
                tell("spawning", (parked - began) / 1e9);
                tell("resuming", (over - resumed) / 1e9);
                tell("seconds", (parked - began + over - resumed) / 1e9);
                tell("bytes", (double) resident / count);
                tell("heap", (double) heap / count);
            }
        }

        private void pass(Deferred<Integer> door) {
            ended.addAndGet(door.await());
        }

        private static void tell(String name, double figure) {
            System.out.printf("%s=%.3f%n", name, figure);
        }

        private static long heap() {
            System.gc();
            var runtime = Runtime.getRuntime();
            return runtime.totalMemory() - runtime.freeMemory();
        }

        // proc_pid_status(5): "VmRSS:   12345 kB".
        private static long resident() throws IOException {
            for (String line : Files.readAllLines(STATUS)) {
                if (line.startsWith("VmRSS:")) {
                    return 1024 * Long.parseLong(line.replaceAll("\\D+", ""));
                }
            }
            throw new IOException("no VmRSS in " + STATUS);
        }
    }
}
