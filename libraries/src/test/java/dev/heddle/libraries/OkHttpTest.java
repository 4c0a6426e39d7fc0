package dev.heddle.libraries;

import java.util.Optional;

final class OkHttpTest extends LibraryContract {
    OkHttpTest(WebServer server) {
        super(new OkHttpLibrary(server));
    }

    @Override
    Optional<Class<? extends Throwable>> thrownWhenInterrupted() {
        return Optional.of(Exception.class);
    }
}
