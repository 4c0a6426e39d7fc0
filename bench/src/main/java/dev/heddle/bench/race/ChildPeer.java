package dev.heddle.bench.race;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// A peer in its own process, which obeys the lines of [Child]: `version`, `run WORKLOAD MILLIS`,
/// and, if there is a JIT in it, `compiled`.
///
/// **Thread:** owner (the measuring thread).
public final class ChildPeer implements Peer {
    /// How to start the process.
    @FunctionalInterface
    public interface Program {
        /// {@return the program and its arguments; compiled now, if it must be}
        ///
        /// @throws IOException if it cannot be, saying why in its first line
        List<String> command() throws IOException;
    }

    /// Whether the process gets faster while it runs.
    public enum Kind {
        COMPILED,
        JIT
    }

    private final String name;
    private final Kind kind;
    private final String cure;
    private final Program program;
    private @Nullable Child child;

    /// @param cure the command that installs what it needs
    public ChildPeer(String name, Kind kind, String cure, Program program) {
        this.name = name;
        this.kind = kind;
        this.cure = cure;
        this.program = program;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Presence find() {
        try {
            return new Present(child().ask("version"));
        } catch (IOException failed) {
            String message = String.valueOf(failed.getMessage());
            return new Missing(message.lines().findFirst().orElse(message), cure);
        }
    }

    @Override
    public Contestant open(String workload) throws IOException {
        var side = child().contestant(workload);
        return kind == Kind.JIT ? new Jitted(side, child()) : side;
    }

    /// {@return one of the same name whose every round runs in a process of its own}
    ///
    /// For what a process can show only once, such as how much memory it takes. No warm-up.
    public Peer inFreshProcesses(Program fresh) {
        return new Fresh(this, fresh);
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
            running = new Child(program.command());
            child = running;
        }
        return running;
    }

    private record Jitted(Contestant side, Child child) implements Contestant {
        @Override
        public Sample round(Duration atLeast) throws Exception {
            return side.round(atLeast);
        }

        @Override
        public Warmth warmth() {
            return Warmth.UNTIL_CALM;
        }

        @Override
        public long compiledMillis() throws IOException {
            return Long.parseLong(child.ask("compiled"));
        }

        @Override
        public void close() throws IOException {
            side.close();
        }
    }

    private record Fresh(Peer peer, Program program) implements Peer {
        @Override
        public String name() {
            return peer.name();
        }

        @Override
        public Presence find() {
            var found = peer.find();
            peer.close();
            return found;
        }

        @Override
        public Contestant open(String workload) {
            return new Contestant() {
                @Override
                public Sample round(Duration atLeast) throws Exception {
                    try (var child = new Child(program.command())) {
                        return child.contestant(workload).round(atLeast);
                    }
                }

                @Override
                public Warmth warmth() {
                    return Warmth.NONE;
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public void close() {
            peer.close();
        }
    }
}
