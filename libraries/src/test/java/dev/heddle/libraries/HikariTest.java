package dev.heddle.libraries;

import java.sql.SQLException;
import java.util.Optional;

final class HikariTest extends LibraryContract {
    HikariTest(PostgresServer server) throws SQLException {
        super(new HikariLibrary(server, ""));
    }

    @Override
    Optional<Class<? extends Throwable>> thrownWhenInterrupted() {
        return Optional.of(SQLException.class);
    }
}
