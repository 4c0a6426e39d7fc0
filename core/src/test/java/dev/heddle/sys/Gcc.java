package dev.heddle.sys;

import org.opentest4j.TestAbortedException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/// The C compiler, and programs, run in a folder.
///
/// A compiler that is not there fails the test where the variable `CI` is set: it is part of what
/// proves that our structs are right. Elsewhere the test is skipped, with the line that installs
/// it.
final class Gcc {
    private static final String INSTALL =
            "this test needs a C compiler: apt-get install -y gcc libc6-dev linux-libc-dev";

    private Gcc() {}

    /// {@return what the compiler has to say, nothing if all is well}
    static String compile(Path folder, String... arguments) {
        try {
            return run(folder, "gcc", arguments);
        } catch (IOException cause) {
            if (System.getenv("CI") != null) {
                throw new AssertionError(INSTALL, cause);
            }
            throw new TestAbortedException(INSTALL, cause);
        }
    }

    /// {@return both outputs of the program}
    static String run(Path folder, String program, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(program));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).directory(folder.toFile());
        // Messages with plain quotes.
        builder.environment().put("LC_ALL", "C");
        var process = builder.redirectErrorStream(true).start();
        try (var reader = process.inputReader()) {
            String output = reader.lines().collect(Collectors.joining("\n"));
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(command + " does not end");
            }
            return output;
        } catch (InterruptedException cause) {
            process.destroyForcibly();
            throw new AssertionError(command + " was interrupted", cause);
        }
    }
}
