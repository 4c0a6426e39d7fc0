package dev.heddle.bench;

import picocli.CommandLine;

import java.io.PrintWriter;

/// The door: `./heddle bench …`.
///
/// **Thread:** any.
public final class Main {
    /// The user asked for something that cannot be.
    static final int USAGE = 2;

    /// Something went wrong.
    static final int FAILED = 1;

    private Main() {}

    public static void main(String[] args) {
        var out = new PrintWriter(System.out, true, System.out.charset());
        var err = new PrintWriter(System.err, true, System.err.charset());
        System.exit(run(out, err, args));
    }

    /// {@return the exit code}
    static int run(PrintWriter out, PrintWriter err, String... args) {
        return new CommandLine(new BenchCommand())
                .addSubcommand(new ReportCommand())
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((mistake, _) -> complain(err, mistake, USAGE))
                .setExecutionExceptionHandler((failure, _, _) -> complain(err, failure, FAILED))
                .execute(args);
    }

    private static int complain(PrintWriter err, Exception problem, int code) {
        String message = String.valueOf(problem.getMessage());
        err.println("bench: " + message.lines().findFirst().orElse(problem.toString()));
        return code;
    }
}
