package dev.heddle.bench.race;

/// Somebody else's way to do the same: a library in this JVM, or a program in its own process.
///
/// **Thread:** owner (the measuring thread).
public interface Peer extends AutoCloseable {
    /// What `--peers` and the columns call it.
    String name();

    /// Looks whether it is there, and gets it ready (a C program is compiled).
    Presence find();

    /// Opens one of its workloads. Only after [#find] found it.
    Contestant open(String workload) throws Exception;

    @Override
    void close();

    /// Whether a peer is there.
    sealed interface Presence {}

    /// It is.
    record Present(String version) implements Presence {}

    /// It is not.
    ///
    /// @param cure the command that installs it
    record Missing(String reason, String cure) implements Presence {
        /// {@return the line to print}
        public String describe(Peer peer) {
            return peer.name() + " skipped: " + reason + "; to install it: " + cure;
        }
    }
}
