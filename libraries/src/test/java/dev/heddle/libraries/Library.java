package dev.heddle.libraries;

import java.sql.SQLException;
import java.time.Duration;

/// A library, as it is, and the two calls of it that all tests make.
///
/// **Thread:** any.
interface Library extends AutoCloseable {
    /// Asks its server to send back this number: a call that waits for the answer.
    String echo(int number) throws Exception;

    /// Waits in the library for this long, at least a quarter of a second; nothing else ends the
    /// wait but an interrupt.
    void block(Duration time) throws Exception;

    @Override
    void close() throws SQLException;
}
