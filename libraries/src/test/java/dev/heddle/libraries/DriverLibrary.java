package dev.heddle.libraries;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/// PostgreSQL's driver for JDBC, with a new connection for each query.
///
/// **Thread:** any.
final class DriverLibrary implements Library {
    private final String url;

    DriverLibrary(PostgresServer server) {
        url = server.url("");
    }

    Connection connect() throws SQLException {
        return DriverManager.getConnection(url);
    }

    @Override
    public String echo(int number) throws SQLException {
        try (var connection = connect()) {
            return Sql.echo(connection, number);
        }
    }

    @Override
    public void block(Duration time) throws SQLException {
        try (var connection = connect()) {
            Sql.sleep(connection, time);
        }
    }

    @Override
    public void close() {
        // It keeps nothing between two calls.
    }
}
