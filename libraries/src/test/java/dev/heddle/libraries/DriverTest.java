package dev.heddle.libraries;

import org.postgresql.util.PSQLException;

import java.util.List;
import java.util.Optional;

final class DriverTest extends LibraryContract {
    DriverTest(PostgresServer server) {
        super(new DriverLibrary(server));
    }

    // Each has a connection of its own, and a server has only so many.
    @Override
    List<Integer> crowds() {
        return List.of(1, 100);
    }

    @Override
    Optional<Class<? extends Throwable>> thrownWhenInterrupted() {
        return Optional.of(PSQLException.class);
    }
}
