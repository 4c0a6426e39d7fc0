package dev.heddle.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

final class MainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir private Path folder;

    @Test
    void noSuiteIsAQuestion() {
        assertMistake("which suite? loop, coroutines");
    }

    @Test
    void anUnknownSuiteIsNamedWithThoseThereAre() {
        assertMistake("no suite is called \"lop\": choose loop, coroutines", "lop");
    }

    @Test
    void anUnknownRowIsNamedWithThoseThereAre() {
        assertMistake(
                "no row is called \"nap\": choose among create-destroy, wake",
                "loop",
                "--rows",
                "wake,nap");
    }

    @Test
    void anUnknownPeerIsNamedWithThoseThereAre() {
        assertMistake(
                "no peer is called \"libev\": choose among libuv", "loop", "--peers", "libev");
    }

    @Test
    void anUnknownOptionIsNamed() {
        assertMistake("Unknown option: '--fast'", "loop", "--fast");
    }

    @Test
    void updateAloneIsRefused() {
        assertMistake("--update goes with --verify", "loop", "--update");
    }

    @Test
    void verifyIsRefusedWhereNothingIsCounted() {
        assertMistake("--verify is for the loop suite", "memory", "--verify");
    }

    @Test
    void aFileThatCannotBeWrittenIsFoundOutFirst() {
        Path nowhere = folder.resolve("no/such/folder.json");
        assertMistake("cannot write " + nowhere, "loop", "--json", nowhere.toString());
    }

    @Test
    void aSuiteThatIsNotThereYetSaysSo() {
        assertThat(run("net")).isEqualTo(Main.USAGE);
        assertThat(err).hasToString("net: not there yet\n");
    }

    @Test
    void aReportOfAMissingFileIsRefused() {
        assertMistake("cannot read nowhere.json", "report", "nowhere.json");
    }

    @Test
    void aReportOfSomethingElseIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("x.json"), "[1, 2");
        assertMistake(file + ": not JSON: ']' expected at line 1", "report", file.toString());
    }

    @Test
    void helpTeaches() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("SUITE", "--quick", "--json", "--rows", "--verify");
        assertThat(out.toString()).doesNotContain("--count");
    }

    @Test
    void oneRowIsMeasuredPrintedAndWritten() throws IOException {
        Path file = folder.resolve("rows.json");

        assertThat(run("loop", "--quick", "--rows", "timer-single", "--json", file.toString()))
                .isZero();

        assertThat(out.toString()).contains("timer-single").contains("ratio");
        assertThat(run("report", file.toString(), "--to", folder.toString())).isZero();
        assertThat(folder.resolve("README.md")).content().contains("| timer-single |");
    }

    @Test
    void aCoroutineRowIsMeasuredAgainstThePeerThatWasNamed() throws IOException {
        Path file = folder.resolve("rows.json");

        assertThat(
                        run(
                                "coroutines",
                                "--quick",
                                "--rows",
                                "switch",
                                "--peers",
                                "kotlinx",
                                "--json",
                                file.toString()))
                .isZero();

        assertThat(out.toString()).contains("switch").contains("kotlinx").doesNotContain("libuv");
        assertThat(run("report", file.toString(), "--to", folder.toString())).isZero();
        assertThat(folder.resolve("coroutines-kotlinx.svg")).exists();
        assertThat(folder.resolve("README.md")).content().contains("| switch |");
    }

    private void assertMistake(String begin, String... args) {
        assertThat(run(args)).isEqualTo(Main.USAGE);
        assertThat(err.toString()).startsWith("bench: " + begin).hasLineCount(1);
        assertThat(out.toString()).isEmpty();
    }

    private int run(String... args) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
