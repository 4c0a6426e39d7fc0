package dev.heddle.bench.syscalls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Runs a program under `strace(1)` and counts the system calls between the marks that it makes.
///
/// **Thread:** any.
final class Strace {
    private static final String OK = "ok ";

    private Strace() {}

    /// {@return the calls per operation, for each pair of marks}
    ///
    /// @param command a program that writes a line `ok OPERATIONS` for each pair of marks
    /// @param input what the program reads
    static List<Double> perOperation(List<String> command, String input) throws IOException {
        Path log = Files.createTempFile("heddle-strace", ".txt");
        try {
            var all = new ArrayList<>(List.of("strace", "-f", "-qq", "-o", log.toString()));
            all.addAll(command);
            return divide(counts(log, all, input), command);
        } finally {
            Files.deleteIfExists(log);
        }
    }

    private record Counts(List<Integer> calls, List<String> answers) {}

    private static Counts counts(Path log, List<String> command, String input) throws IOException {
        var answers = run(command, input);
        var reader = new StraceLog();
        try (var lines = Files.lines(log)) {
            lines.forEach(reader::add);
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        }
        return new Counts(reader.counts(), answers);
    }

    private static List<Double> divide(Counts counts, List<String> command) throws IOException {
        var operations = counts.answers.stream().filter(line -> line.startsWith(OK)).toList();
        if (operations.size() != counts.calls.size() || operations.isEmpty()) {
            throw new IOException(
                    "strace saw "
                            + counts.calls.size()
                            + " pairs of marks, but "
                            + command.getFirst()
                            + " said: "
                            + counts.answers);
        }
        var quotients = new ArrayList<Double>();
        for (int i = 0; i < operations.size(); i++) {
            String number = operations.get(i).substring(OK.length()).strip();
            quotients.add((double) counts.calls.get(i) / Integer.parseInt(number));
        }
        return quotients;
    }

    private static List<String> run(List<String> command, String input) throws IOException {
        Process process;
        try {
            process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
        } catch (IOException absent) {
            throw new IOException("strace is not installed: apt-get install strace", absent);
        }
        try (var commands = process.outputWriter()) {
            commands.write(input);
        }
        return process.inputReader().lines().toList();
    }
}
