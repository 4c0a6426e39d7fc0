package dev.heddle.bench.coroutines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.bench.jvm.Repertoire;
import dev.heddle.bench.kotlinx.KotlinxRepertoire;
import dev.heddle.bench.race.ChildPeer;
import dev.heddle.bench.race.Contest;
import dev.heddle.bench.race.Peer;
import dev.heddle.bench.race.Workload;
import dev.heddle.bench.vthreads.VthreadsRepertoire;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

final class RepertoiresTest {
    private static final Map<String, Repertoire> ALL =
            Map.of(
                    "heddle", new HeddleRepertoire(),
                    "vthreads", new VthreadsRepertoire(),
                    "kotlinx", new KotlinxRepertoire());

    static Stream<Arguments> workloads() {
        return ALL.entrySet().stream()
                .flatMap(
                        side ->
                                side.getValue().workloads().entrySet().stream()
                                        .map(
                                                work ->
                                                        Arguments.of(
                                                                side.getKey(),
                                                                work.getKey(),
                                                                work.getValue())));
    }

    static Stream<Arguments> sides() {
        return ALL.entrySet().stream().map(side -> Arguments.of(side.getKey(), side.getValue()));
    }

    /// A batch checks by itself that everything was done.
    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("workloads")
    void doesItsBatchAgainAndAgain(String side, String name, Workload.Opener opener)
            throws Exception {
        try (var workload = opener.open()) {
            var meter = workload.newMeter();
            meter.start();
            workload.batch(meter);
            workload.batch(meter);
            assertThat(meter.stop(workload.operations()).value()).isPositive();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("sides")
    void canDoAllThatItsRowsAsk(String side, Repertoire repertoire) {
        for (var row : rows()) {
            if (side.equals("heddle")) {
                assertThat(repertoire.workloads()).containsKey(row.name());
            }
            for (var rival : row.rivals()) {
                if (rival.label().equals(side)) {
                    assertThat(repertoire.workloads()).containsKey(rival.workload());
                }
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("sides")
    void looksOnceWhileAllAreParkedAndLetsThemGo(String side, Repertoire repertoire)
            throws Exception {
        var looks = new AtomicInteger();

        repertoire.parking().hold(1000, looks::incrementAndGet);

        assertThat(looks).hasValue(1);
    }

    private static List<Contest> rows() {
        return new CoroutineSuite(
                        peer("heddle"), peer("vthreads"), List.of(peer("kotlinx")), List::of)
                .rows().stream().map(Contest.class::cast).toList();
    }

    private static Peer peer(String name) {
        return new ChildPeer(name, ChildPeer.Kind.JIT, "", List::of);
    }
}
