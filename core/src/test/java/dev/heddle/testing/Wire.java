package dev.heddle.testing;

/// One end of a two-way connection, and what its peer does: real or simulated. Fresh from
/// [Descriptors] it is writable and has nothing to read.
///
/// **Thread:** owner (the test).
public interface Wire {
    /// {@return the descriptor of this end}
    int fd();

    /// The peer sends a byte: there is something to read.
    void send();

    /// The peer sends an urgent byte, which ordinary reads do not see.
    void sendUrgent();

    /// Reads until there is nothing left.
    void drain();

    /// Writes until there is no room left.
    void fill();

    /// The peer reads everything: there is room again.
    void makeRoom();

    /// The peer sends the end of its stream, and goes on reading.
    void finish();

    /// The peer closes its end.
    void hangUp();

    /// Closes this end and frees its number.
    void close();
}
