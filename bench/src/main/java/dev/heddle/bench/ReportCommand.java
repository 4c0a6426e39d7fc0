package dev.heddle.bench;

import dev.heddle.bench.report.Report;
import dev.heddle.bench.report.Results;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// `bench report FILE…`: draws what `--json` wrote.
///
/// **Thread:** owner (the calling thread).
@Command(
        name = "report",
        description = "Draws result files as SVG charts and refreshes the table beside them.",
        mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
    @Spec private CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "What bench --json wrote.")
    private List<Path> files;

    @Option(
            names = "--to",
            paramLabel = "FOLDER",
            description = "Where to; otherwise docs/benchmarks of the source tree.")
    private List<Path> folder = List.of();

    @Override
    public Integer call() throws IOException {
        var runs = new ArrayList<Results>();
        for (var file : files) {
            if (!Files.isReadable(file)) {
                throw mistake("cannot read " + file);
            }
            try {
                runs.add(Results.read(file));
            } catch (IllegalArgumentException wrong) {
                throw mistake(String.valueOf(wrong.getMessage()));
            }
        }
        Path target =
                folder.isEmpty() ? Project.root().resolve("docs/benchmarks") : folder.getLast();
        for (var written : Report.write(target, runs)) {
            spec.commandLine().getOut().println("wrote " + written);
        }
        return 0;
    }

    private ParameterException mistake(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
