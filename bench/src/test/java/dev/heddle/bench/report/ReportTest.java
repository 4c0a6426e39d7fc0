package dev.heddle.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.bench.race.Result;
import dev.heddle.bench.race.Spread;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import javax.xml.parsers.DocumentBuilderFactory;

final class ReportTest {
    private static final Results RUN =
            new Results(Map.of("cores", "2"), List.of(Samples.WAKE, Samples.FLOOD));

    @TempDir private Path folder;

    @Test
    void theChartIsWellFormedAndNamesEveryRow() throws Exception {
        Report.write(folder, List.of(RUN));

        Path chart = folder.resolve("loop-libuv.svg");
        var svg = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(chart.toFile());
        assertThat(svg.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(svg.getElementsByTagName("rect").getLength()).isEqualTo(2);
        assertThat(Files.readString(chart)).contains(">wake<", ">flood-uring *<", ">1.30<");
    }

    @Test
    void everyPeerOfMostRowsHasAChartAndOthersHaveNone() throws IOException {
        Report.write(folder, List.of(new Results(Map.of(), List.of(Samples.FLOOD))));
        assertThat(folder.resolve("loop-libuv.svg")).exists();
        assertThat(folder.resolve("loop-libuv-queue.svg")).exists();

        var another = Report.write(folder.resolve("another"), List.of(RUN));
        assertThat(another.stream().map(Path::getFileName).map(Path::toString))
                .containsExactly("loop-libuv.svg", "README.md");
    }

    @Test
    void barsOnTheLeftAreWorse() {
        String svg = Chart.draw("t", List.of(Samples.WAKE, Samples.FLOOD), "libuv");

        assertThat(svg.lines().filter(line -> line.startsWith("<rect")))
                .satisfiesExactly(
                        wake -> assertThat(wake).contains("class=\"better\""),
                        flood -> assertThat(flood).contains("class=\"worse pale\""));
    }

    @Test
    void aRowFarOffIsCutAtTheEdgeAndKeepsItsFigure() {
        var far = withRatio(Samples.WAKE, new Spread(20, 10, 1000));

        String svg = Chart.draw("t", List.of(far), "libuv");

        assertThat(svg).contains(">20.00<").contains("x2=\"690.0\"").doesNotContain("NaN");
    }

    @Test
    void theTableReplacesTheOldOneAndNothingElse() throws IOException {
        Path readme = folder.resolve("README.md");
        Files.writeString(
                readme, "before\n" + Report.BEGIN + "\nold figures\n" + Report.END + "\nafter\n");

        Report.write(folder, List.of(RUN));
        String once = Files.readString(readme);
        Report.write(folder, List.of(RUN));

        assertThat(once).startsWith("before\n").endsWith("\nafter\n").doesNotContain("old figures");
        assertThat(once)
                .contains("| wake | 634 ns | libuv 822 ns | **1.30** | 1.25–1.40 | 7 | 1.29 |");
        assertThat(once).contains("![Heddle against libuv: loop](loop-libuv.svg)");
        assertThat(Files.readString(readme)).isEqualTo(once);
    }

    @Test
    void aFolderWithoutATextGetsOne() throws IOException {
        var written = Report.write(folder.resolve("new"), List.of(RUN));

        assertThat(written).allSatisfy(file -> assertThat(file).exists());
        assertThat(folder.resolve("new/README.md")).content().startsWith("# Benchmarks\n");
    }

    @Test
    void ofTheSameRowInTwoFilesTheLaterCounts() throws IOException {
        var again = new Results(Map.of(), List.of(twiceAsSlow(Samples.WAKE)));

        Report.write(folder, List.of(RUN, again));

        assertThat(folder.resolve("README.md"))
                .content()
                .contains("1.27 µs")
                .doesNotContain("634 ns");
    }

    private static Result withRatio(Result row, Spread ratio) {
        return new Result(
                row.suite(),
                row.name(),
                row.kind(),
                row.unit(),
                row.heddle(),
                row.cpu(),
                Map.of("libuv", new Result.Versus(1, 1, ratio, 1)),
                row.spread(),
                row.rounds(),
                row.syscalls(),
                row.note());
    }

    private static Result twiceAsSlow(Result row) {
        return new Result(
                row.suite(),
                row.name(),
                row.kind(),
                row.unit(),
                row.heddle() * 2,
                row.cpu(),
                row.peers(),
                row.spread(),
                row.rounds(),
                row.syscalls(),
                row.note());
    }
}
