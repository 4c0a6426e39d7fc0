package dev.heddle.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Arrays;

/// Where the launcher script enters.
///
/// `run` with a file is answered here, everything else by [Commands]: setting up picocli takes
/// longer than all that a cached program needs until its first line.
///
/// **Thread:** owner (the JVM's main thread).
public final class Main {
    private static final String RUN = "run";
    private static final String END_OF_OPTIONS = "--";

    private Main() {}

    /// @throws Throwable whatever the user's program throws, for the JVM to report as usual
    public static void main(String[] args) throws Throwable {
        int file = indexOfFile(args);
        if (file < 0) {
            System.exit(Commands.execute(writer(System.out), writer(System.err), args));
        }
        try {
            String[] rest = Arrays.copyOfRange(args, file + 1, args.length);
            Program.run(args[file], rest, ClassCache.open());
        } catch (UserError mistake) {
            mistake.print();
            System.exit(mistake.exitCode());
        }
    }

    /// {@return where in `args` the file of a `run` is, or -1 if this is anything else}
    private static int indexOfFile(String[] args) {
        if (args.length < 2 || !args[0].equals(RUN)) {
            return -1;
        }
        if (args[1].equals(END_OF_OPTIONS)) {
            return args.length > 2 ? 2 : -1;
        }
        return args[1].startsWith("-") ? -1 : 1;
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, stream.charset());
    }
}
