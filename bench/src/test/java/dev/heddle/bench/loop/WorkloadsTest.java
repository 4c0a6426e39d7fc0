package dev.heddle.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.bench.libuv.LibuvPeer;
import dev.heddle.bench.race.Meter;
import dev.heddle.bench.race.Result.Kind;
import dev.heddle.bench.race.Row;
import dev.heddle.bench.race.TimedRow;
import dev.heddle.bench.race.Workload;
import dev.heddle.sys.Memory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

final class WorkloadsTest {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    static Stream<TimedRow> rows() {
        return suite().filter(TimedRow.class::isInstance).map(TimedRow.class::cast);
    }

    /// A batch checks by itself that everything was done; here also that nothing is left over.
    @ParameterizedTest
    @MethodSource("rows")
    void doesItsBatchAgainAndAgainAndLeavesNothingBehind(TimedRow row) throws Exception {
        runTwice(row); // classes are loaded, and with them what lives as long as the process
        long memory = Memory.inUse();
        var descriptors = descriptors();

        runTwice(row);

        assertThat(Memory.inUse()).isEqualTo(memory);
        assertThat(descriptors()).isEqualTo(descriptors);
    }

    @Test
    void rowsHaveNamesOfTheirOwn() {
        assertThat(suite().map(row -> row.name())).doesNotHaveDuplicates();
    }

    private static Stream<Row> suite() {
        return new LoopSuite(new LibuvPeer(Path.of("unused"))).rows().stream();
    }

    private static void runTwice(TimedRow row) throws Exception {
        var meter = Meter.ofThread();
        meter.start();
        try (var workload = open(row)) {
            workload.batch(meter);
            workload.batch(meter);
        }
        assertThat(meter.stop(1).value()).isPositive();
    }

    private static Workload open(TimedRow row) throws Exception {
        try {
            return row.heddle().open();
        } catch (IOException refused) {
            assumeTrue(row.kind() == Kind.INFORMATIONAL, "only other backends may be refused");
            assumeTrue(false, "refused here: " + refused.getMessage());
            throw refused;
        }
    }

    // Pipes and anonymous kernel objects only: the JVM opens files when it likes.
    private static List<String> descriptors() throws IOException {
        if (!Files.isDirectory(DESCRIPTORS)) {
            return List.of();
        }
        try (var links = Files.list(DESCRIPTORS)) {
            return links.map(WorkloadsTest::target)
                    .filter(
                            target ->
                                    target.startsWith("pipe:") || target.startsWith("anon_inode:"))
                    .sorted()
                    .toList();
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException closedMeanwhile) {
            return "";
        }
    }
}
