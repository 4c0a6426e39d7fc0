package dev.heddle.libraries;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.within;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.zaxxer.hikari.HikariDataSource;

import dev.heddle.Coroutine;
import dev.heddle.Heddle;
import dev.heddle.OperationCancelledException;
import dev.heddle.Outcome;
import dev.heddle.VoidOp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What a cancellation does to a database, its connections and its transactions: what the guide
/// tells.
@ExtendWith(Servers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class PostgresTest {
    private static final Duration UNDER_WAY = Duration.ofMillis(100);
    private static final int CROWD = 20;
    private static final String RUNNING =
            "select count(*) from pg_stat_activity where state = 'active' and query like '%s'";

    private static final String CREATE = "drop table if exists item; create table item (name text)";
    private static final String INSERT = "insert into item values ('half an order')";

    private final PostgresServer server;

    PostgresTest(PostgresServer server) {
        this.server = server;
    }

    @Test
    void aQueryThatWasCancelledHasLostItsConnection() throws SQLException {
        try (var connection = connect()) {
            Heddle.run(
                    () ->
                            assertThrows(
                                    OperationCancelledException.class,
                                    () -> within(UNDER_WAY, () -> sleepLong(connection))));

            assertThat(connection.isClosed()).isTrue();
        }
    }

    @Test
    void aTransactionThatWasCancelledElsewhereCanBeRolledBackInAShield() throws SQLException {
        try (var connection = connect()) {
            Sql.update(connection, CREATE);

            cancelInTransaction(connection, () -> protect(() -> connection.rollback()));

            connection.setAutoCommit(true);
            assertThat(Sql.one(connection, "select count(*) from item")).isEqualTo("0");
        }
    }

    /// The JDK leaves the interrupt up when it has closed a socket, and nobody can take it down but
    /// a call of ours: it closes the next socket, too, if the answer is not there at once. The
    /// server then rolls back by itself.
    @Test
    void aTransactionThatWasCancelledElsewhereIsRolledBackAlsoIfThatLosesTheConnection()
            throws SQLException {
        try (var connection = connect();
                var other = connect()) {
            Sql.update(connection, CREATE);

            cancelInTransaction(connection, connection::rollback);

            assertThat(Sql.one(other, "select count(*) from item")).isEqualTo("0");
        }
    }

    private void cancelInTransaction(Connection connection, VoidOp<SQLException> cleanUp)
            throws SQLException {
        try (var other = connect()) {
            connection.setAutoCommit(false);
            Heddle.run(
                    () -> {
                        var transaction =
                                spawn(
                                        () -> {
                                            try {
                                                Sql.update(connection, INSERT);
                                                sleepLong(other);
                                                connection.commit();
                                            } finally {
                                                cleanUp.run();
                                            }
                                        });
                        delay(UNDER_WAY);
                        assertThat(transaction.cancelAndAwait("enough"))
                                .isInstanceOf(Outcome.Cancelled.class);
                    });
        }
    }

    @Test
    void theServersOwnTimeoutEndsWhatWasCancelledHere() throws Exception {
        String sleep = "select pg_sleep(61)";
        try (var library = new HikariLibrary(server, "options=-c%20statement_timeout=500");
                var watching = connect()) {
            Heddle.run(
                    () -> {
                        cancelAll(spawnQueries(library.pool(), sleep));
                        // They run on; without its timeout for longer than this test may take.
                        while (!Sql.one(watching, RUNNING.formatted(sleep)).equals("0")) {
                            delay(UNDER_WAY);
                        }
                    });

            assertThat(Heddle.run(() -> library.echo(1))).isEqualTo("1");
        }
    }

    @Test
    void aPoolIsUsedOnAfterManyQueriesWereCancelled() throws Exception {
        String sleep = "select pg_sleep(62)";
        try (var library = new HikariLibrary(server, "")) {
            Heddle.run(
                    () -> {
                        cancelAll(spawnQueries(library.pool(), sleep));

                        assertThat(library.echo(2)).isEqualTo("2");
                    });
        }
    }

    @Test
    void inAShieldAShortStatementEndsAndItsConnectionStays() throws Exception {
        try (var library = new HikariLibrary(server, "");
                var connection = library.pool().getConnection()) {
            var done = new ArrayList<String>();
            Heddle.run(
                    () -> {
                        var query =
                                spawn(
                                        () ->
                                                protect(
                                                        () -> {
                                                            Sql.sleep(connection, UNDER_WAY);
                                                            done.add("slept");
                                                        }));
                        delay(UNDER_WAY.dividedBy(2));
                        assertThat(query.cancelAndAwait("enough"))
                                .isInstanceOf(Outcome.Cancelled.class);
                    });

            assertThat(done).containsExactly("slept");
            assertThat(connection.isClosed()).isFalse();
        }
    }

    @Test
    void aQueryTimeoutEndsTheStatementOnTheServerAndKeepsTheConnection() throws SQLException {
        try (var connection = connect()) {
            Heddle.run(
                    () -> {
                        try (var statement = connection.createStatement()) {
                            statement.setQueryTimeout(1);
                            var thrown =
                                    assertThrows(
                                            SQLException.class,
                                            () -> statement.executeQuery("select pg_sleep(63)"));
                            assertThat(thrown.getMessage()).contains("canceling statement");
                        }
                    });

            assertThat(Sql.one(connection, RUNNING.formatted("select pg_sleep(63)")))
                    .isEqualTo("0");
        }
    }

    private static List<Coroutine<?>> spawnQueries(HikariDataSource pool, String query) {
        var queries = new ArrayList<Coroutine<?>>();
        for (int i = 0; i < CROWD; i++) {
            queries.add(
                    spawn(
                            () -> {
                                try (var connection = pool.getConnection()) {
                                    return Sql.one(connection, query);
                                }
                            }));
        }
        delay(UNDER_WAY.multipliedBy(2));
        return queries;
    }

    private static void cancelAll(List<Coroutine<?>> queries) {
        for (var each : queries) {
            assertThat(each.cancelAndAwait("enough")).isInstanceOf(Outcome.Cancelled.class);
        }
    }

    private static void sleepLong(Connection connection) throws SQLException {
        Sql.sleep(connection, LibraryContract.LONG);
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(server.url(""));
    }
}
