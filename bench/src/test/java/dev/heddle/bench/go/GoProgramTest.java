package dev.heddle.bench.go;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.bench.coroutines.CoroutineSuite;
import dev.heddle.bench.race.ChildPeer;
import dev.heddle.bench.race.Contest;
import dev.heddle.bench.race.Peer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

final class GoProgramTest {
    // Tests run in the module's folder.
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

    @TempDir private Path folder;

    @Test
    void everyWorkloadOfTheSuiteIsThereInGo() throws Exception {
        try (var go = go(PROJECT)) {
            assumeTrue(go.find() instanceof Peer.Present, "Go is not installed");
            var other = new ChildPeer("other", ChildPeer.Kind.COMPILED, "", List::of);
            for (var row : new CoroutineSuite(other, other, List.of(go), List::of).rows()) {
                for (var rival : ((Contest) row).rivals()) {
                    if (rival.peer() == go) {
                        var sample = go.open(rival.workload()).round(Duration.ofMillis(1));
                        assertThat(sample.value()).as(rival.workload()).isPositive();
                    }
                }
            }
            assertThat(go.open("parked-1000").round(Duration.ZERO).operations()).isEqualTo(1000);
        }
    }

    @Test
    void withoutTheSourcesItIsMissingAndTheCureIsNamed() {
        try (var go = go(folder)) {
            assertThat(go.find())
                    .isInstanceOfSatisfying(
                            Peer.Missing.class,
                            missing -> assertThat(missing.cure()).contains("golang"));
        }
    }

    private static ChildPeer go(Path project) {
        return new ChildPeer("go", ChildPeer.Kind.COMPILED, GoProgram.CURE, new GoProgram(project));
    }
}
