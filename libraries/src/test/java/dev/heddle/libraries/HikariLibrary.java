package dev.heddle.libraries;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/// HikariCP with PostgreSQL's driver: a pool of ten, and pools whose only connection is taken.
///
/// **Thread:** any, one at a time.
final class HikariLibrary implements Library {
    private static final int SIZE = 10;

    private final String url;
    private final HikariDataSource pool;
    // By how long they let one wait, which is set when they are made.
    private final Map<Duration, HikariDataSource> empty = new HashMap<>();

    /// @param more what is added to the address of the database
    HikariLibrary(PostgresServer server, String more) throws SQLException {
        url = server.url(more);
        pool = open(url, SIZE, Duration.ofMinutes(1));
        // Before a test needs it for no more than its wait.
        emptyPool(LibraryContract.LONG);
    }

    private static HikariDataSource open(String url, int size, Duration patience) {
        var config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        config.setConnectionTimeout(patience.toMillis());
        return new HikariDataSource(config);
    }

    HikariDataSource pool() {
        return pool;
    }

    @Override
    public String echo(int number) throws SQLException {
        try (var connection = pool.getConnection()) {
            return Sql.echo(connection, number);
        }
    }

    @Override
    public void block(Duration time) throws SQLException {
        try (var connection = emptyPool(time).getConnection()) {
            throw new AssertionError("it was taken, and here it is: " + connection);
        } catch (SQLTransientConnectionException expected) {
            // Nobody gave it back in that time: that is what was asked for.
        }
    }

    private HikariDataSource emptyPool(Duration patience) throws SQLException {
        HikariDataSource one = empty.get(patience);
        if (one == null) {
            one = open(url, 1, patience);
            empty.put(patience, one);
            take(one);
        }
        return one;
    }

    // Never given back: the pool closes it.
    private static void take(HikariDataSource one) throws SQLException {
        Connection taken = one.getConnection();
        taken.setReadOnly(true);
    }

    @Override
    public void close() {
        empty.values().forEach(HikariDataSource::close);
        pool.close();
    }
}
