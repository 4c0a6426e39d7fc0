package dev.heddle.libraries;

import java.util.List;

final class DriverTest extends LibraryContract {
    DriverTest(PostgresServer server) {
        super(new DriverLibrary(server));
    }

    // Each has a connection of its own, and a server has only so many.
    @Override
    List<Integer> crowds() {
        return List.of(1, 100);
    }
}
