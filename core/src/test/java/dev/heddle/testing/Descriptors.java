package dev.heddle.testing;

/// Where a contract test gets its descriptors and its time from: the real kernel or a simulated
/// one. Closing it closes every descriptor that it gave and that is still open.
///
/// **Thread:** owner (the test).
public interface Descriptors extends AutoCloseable {
    Wire wire();

    /// {@return a wire whose first end has this number, which must not be open}
    Wire wireWithNumber(int fd);

    /// {@return a wire that carries urgent data}
    Wire urgentWire();

    /// {@return a regular file}
    int file();

    int directory();

    /// Closes what [#file] or [#directory] gave.
    void close(int fd);

    /// {@return the time that a poll's timeout is measured in}
    long nanos();

    /// Another thread is going to wake the reactor, so a wait for ever is no mistake.
    void expectWake();

    @Override
    void close();
}
