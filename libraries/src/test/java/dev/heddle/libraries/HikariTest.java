package dev.heddle.libraries;

final class HikariTest extends LibraryContract {
    HikariTest(PostgresServer server) {
        super(new HikariLibrary(server));
    }
}
