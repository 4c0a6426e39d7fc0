package dev.heddle.bench.libuv;

import dev.heddle.bench.race.Child;
import dev.heddle.bench.race.Contestant;
import dev.heddle.bench.race.Peer;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// libuv, driven by the C program in `bench/src/main/c`.
///
/// **Thread:** owner (the measuring thread).
public final class LibuvPeer implements Peer {
    public static final String NAME = "libuv";

    private static final String CURE = "apt-get install gcc libc6-dev libuv1-dev";

    private final CProgram program;
    private @Nullable Child child;

    /// @param project the root of the source tree
    public LibuvPeer(Path project) {
        Path bench = project.resolve("bench");
        program =
                new CProgram(
                        bench.resolve("src/main/c"),
                        bench.resolve("target/peers"),
                        List.of("-luv", "-lpthread"));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Presence find() {
        try {
            return new Present(child().ask("version"));
        } catch (CProgram.CompileException refused) {
            return new Missing(firstLine(refused), CURE);
        } catch (IOException failed) {
            return new Missing(firstLine(failed), CURE);
        }
    }

    /// {@return the compiled program, for running it under another}
    ///
    /// @throws IOException if it cannot be compiled
    public Path compiled() throws IOException {
        return program.compile();
    }

    @Override
    public Contestant open(String workload) throws IOException {
        return child().contestant(workload);
    }

    @Override
    public void close() {
        var running = child;
        child = null;
        if (running != null) {
            running.close();
        }
    }

    private Child child() throws IOException {
        var running = child;
        if (running == null) {
            running = new Child(List.of(program.compile().toString()));
            child = running;
        }
        return running;
    }

    private static String firstLine(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        return message.lines().findFirst().orElse(message);
    }
}
