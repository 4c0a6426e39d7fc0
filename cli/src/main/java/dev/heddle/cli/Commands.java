package dev.heddle.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.UnmatchedArgumentException;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/// The commands and their help. A mistake is answered with one line.
///
/// **Thread:** owner.
@Command(
        name = "heddle",
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {
            "Heddle is an asynchronous runtime for Java 25: plain, blocking-style code on a native"
                    + " event loop, with no native library to build.",
            ""
        },
        commandListHeading = "%nCommands:%n",
        subcommands = {
            Commands.Run.class,
            Doctor.class,
            Commands.Bench.class,
            CommandLine.HelpCommand.class
        },
        footer = {
            "",
            "Examples:",
            "  heddle run examples/Hello.java   run a program; the next time it starts at once",
            "  heddle doctor                    what this machine offers, what to do about the"
                    + " rest",
            "  heddle bench loop --quick        compare the event loop with libuv in C",
            "  heddle help run                  more about one command",
            "",
            "Environment:",
            "  HEDDLE_JAVA_HOME        the JDK to use; otherwise one is looked for",
            "  HEDDLE_JAVA_OPTS        options for the JVM, separated by blanks",
            "  HEDDLE_ALLOW_OLD_JDK=1  accept a build of JDK 25 before 25.0.3 (JDK-8369227)",
            "  XDG_CACHE_HOME          compiled programs are kept there; otherwise in ~/.cache",
            "",
            "Exit codes:",
            "  0  it went well",
            "  1  the program threw, or it or Heddle could not be compiled, or there is no JDK",
            "  2  the command line is wrong",
            "  n  what the program says: System.exit(n)"
        })
final class Commands implements Callable<Integer> {
    private static final List<String> COMMANDS = List.of("run", "doctor", "bench", "help");

    @CommandLine.Spec private CommandSpec spec;

    private Commands() {}

    /// {@return the exit code}
    static int execute(PrintWriter out, PrintWriter err, String... args) {
        return new CommandLine(new Commands())
                .setOut(out)
                .setErr(err)
                .setExpandAtFiles(false)
                .setUsageHelpWidth(90)
                .setParameterExceptionHandler((mistake, _) -> explain(mistake))
                .execute(args);
    }

    /// No command at all: teaches what there is.
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return UserError.USAGE;
    }

    private static int explain(ParameterException mistake) {
        CommandLine command = mistake.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        String text =
                switch (mistake) {
                    case UnmatchedArgumentException unmatched ->
                            unknown(command, unmatched.getUnmatched().getFirst());
                    case MissingParameterException _ when name.endsWith("run") ->
                            "run needs a file, such as: heddle run examples/Hello.java";
                    default -> plain(String.valueOf(mistake.getMessage()));
                };
        PrintWriter err = command.getErr();
        err.println("heddle: " + text + " (see: " + name + " --help)");
        return UserError.USAGE;
    }

    // Picocli writes sentences, we write the rest of a line.
    private static String plain(String sentence) {
        String end = sentence.endsWith(".") ? "." : "";
        String text = sentence.substring(0, sentence.length() - end.length());
        return text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
    }

    private static String unknown(CommandLine command, String argument) {
        if (argument.startsWith("-")) {
            List<String> options =
                    command.getCommandSpec().options().stream()
                            .map(CommandLine.Model.OptionSpec::longestName)
                            .toList();
            return "unknown option " + argument + suggest(argument, options);
        }
        if (command.getParent() != null) {
            return "unexpected argument " + argument;
        }
        if (argument.endsWith(".java")) {
            return "unknown command " + argument + "; did you mean run " + argument + "?";
        }
        return "unknown command " + argument + suggest(argument, COMMANDS);
    }

    private static String suggest(String written, List<String> known) {
        return Nearest.to(written, known).map(word -> "; did you mean " + word + "?").orElse("");
    }

    /// Only its help is here: [Main] answers a `run` with a file itself.
    @Command(
            name = "run",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            header = "Run a Java source file, with every flag that Heddle needs.",
            description = {
                "",
                "The file is compiled in memory, together with the files beside it that it refers"
                    + " to, and kept: as long as nothing changes, the next run starts without"
                    + " compiling. Its main method is found as by the java command, so that a whole"
                    + " program can be",
                "",
                "    void main() { IO.println(\"hello\"); }",
                ""
            },
            footer = {
                "",
                "Examples:",
                "  heddle run examples/Hello.java",
                "  heddle run Server.java --port 8080      what follows the file belongs to it",
                "  HEDDLE_JAVA_OPTS=-Dheddle.backend=poll heddle run Server.java"
            })
    static final class Run implements Runnable {
        @Parameters(index = "0", paramLabel = "FILE.java", description = "the program")
        private String file;

        @Parameters(index = "1..*", paramLabel = "ARGS", description = "handed to the program")
        private List<String> args;

        private Run() {}

        @Override
        public void run() {
            throw new AssertionError("Main answers: run " + file + " " + args);
        }
    }

    /// Only a summary is here: the launcher script starts the benchmarks' own main class, which
    /// knows its options.
    @Command(
            name = "bench",
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            header = "Measure Heddle against its peers, on this machine and in one run.",
            description = {
                "",
                "Suites: loop; coroutines, channels, net, files and memory come with what they"
                        + " measure; all. What counts are the ratios: more than 1 means that Heddle"
                        + " is better. A peer that is not installed is skipped with the line that"
                        + " installs it.",
                ""
            },
            footer = {
                "",
                "Examples:",
                "  heddle bench loop --quick",
                "  heddle bench loop --json today.json",
                "  heddle bench report today.json",
                "  heddle bench --help                     all options"
            })
    static final class Bench implements Callable<Integer> {
        @CommandLine.Spec private CommandSpec spec;

        @Parameters(paramLabel = "SUITE", description = "what to measure")
        private List<String> suites;

        private Bench() {}

        @Override
        public Integer call() {
            PrintWriter err = spec.commandLine().getErr();
            err.println("heddle: " + suites + " is started by the heddle script, not from here");
            return UserError.USAGE;
        }
    }
}
