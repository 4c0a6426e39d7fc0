package dev.heddle.libraries;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

/// The queries that the tests make.
///
/// **Thread:** any.
final class Sql {
    private static final double NANOS_PER_SECOND = 1e9;

    private Sql() {}

    static String echo(Connection connection, int number) throws SQLException {
        try (var query = connection.prepareStatement("select ?::int")) {
            query.setInt(1, number);
            return first(query.executeQuery());
        }
    }

    static String one(Connection connection, String query) throws SQLException {
        try (var statement = connection.createStatement()) {
            return first(statement.executeQuery(query));
        }
    }

    static void sleep(Connection connection, Duration time) throws SQLException {
        try (var query = connection.prepareStatement("select pg_sleep(?)")) {
            query.setDouble(1, time.toNanos() / NANOS_PER_SECOND);
            query.executeQuery().close();
        }
    }

    static void update(Connection connection, String text) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.executeUpdate(text);
        }
    }

    private static String first(ResultSet rows) throws SQLException {
        try (rows) {
            rows.next();
            return rows.getString(1);
        }
    }
}
