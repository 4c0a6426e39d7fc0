package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/// Help teaches, and a mistake is answered with one line.
final class CommandsTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    rnu x.java    | unknown command rnu; did you mean run? (see: heddle --help)
                    dcotor        | unknown command dcotor; did you mean doctor? (see: heddle --help)
                    fly           | unknown command fly (see: heddle --help)
                    Hello.java    | unknown command Hello.java; did you mean run Hello.java? (see: heddle --help)
                    --versoin     | unknown option --versoin; did you mean --version? (see: heddle --help)
                    --zzz         | unknown option --zzz (see: heddle --help)
                    doctor --jsno | unknown option --jsno; did you mean --json? (see: heddle doctor --help)
                    doctor now    | unexpected argument now (see: heddle doctor --help)
                    run           | run needs a file, such as: heddle run examples/Hello.java (see: heddle run --help)
                    run --        | run needs a file, such as: heddle run examples/Hello.java (see: heddle run --help)
                    run --fast x  | unknown option --fast (see: heddle run --help)
                    help fly      | unknown subcommand 'fly' (see: heddle --help)
                    """)
    void mistakeIsOneLineAndExitCodeTwo(String line, String answer) {
        assertThat(execute(line.split(" "))).isEqualTo(UserError.USAGE);
        assertThat(err.toString()).isEqualTo("heddle: " + answer + "\n");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void benchIsLeftToTheScript() {
        assertThat(execute("bench", "loop")).isEqualTo(UserError.USAGE);
        assertThat(err.toString()).hasLineCount(1).contains("heddle script");
    }

    @Test
    void helpTeachesEveryCommandByExample() {
        assertThat(execute("--help")).isZero();
        assertThat(out.toString())
                .contains(
                        "Heddle is an asynchronous runtime for Java 25",
                        "heddle run examples/Hello.java",
                        "heddle doctor",
                        "heddle bench loop --quick",
                        "heddle help run",
                        "Exit codes:");
        assertThat(out.toString().lines()).allMatch(line -> line.length() <= 90);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void noCommandShowsTheHelpAsAMistake() {
        assertThat(execute()).isEqualTo(UserError.USAGE);
        assertThat(err.toString()).startsWith("Usage: heddle");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "doctor", "bench"})
    void everyCommandHasHelpWithExamplesBothWays(String command) {
        assertThat(execute(command, "--help")).isZero();
        String viaOption = out.toString();
        out.getBuffer().setLength(0);
        assertThat(execute("help", command)).isZero();

        assertThat(out.toString()).isEqualTo(viaOption);
        assertThat(viaOption)
                .contains("Usage: heddle " + command, "Examples:\n  heddle " + command);
    }

    @Test
    void versionNamesHeddleAndTheJdk() {
        assertThat(execute("--version")).isZero();
        assertThat(out.toString())
                .startsWith("heddle ")
                .endsWith("(JDK " + System.getProperty("java.runtime.version") + ")\n");
    }

    @Test
    void nearestWordIsTheOneWithFewestMistakes() {
        var words = List.of("run", "doctor", "bench", "help");

        assertThat(Nearest.to("runn", words)).contains("run");
        assertThat(Nearest.to("urn", words)).as("two letters swapped").contains("run");
        assertThat(Nearest.to("ben", words)).as("more than a third is missing").isEmpty();
        assertThat(Nearest.to("", words)).isEmpty();
        assertThat(Nearest.to("bench", words)).contains("bench");
    }

    private int execute(String... args) {
        return Commands.execute(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }
}
