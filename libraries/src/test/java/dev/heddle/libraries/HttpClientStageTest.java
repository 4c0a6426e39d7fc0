package dev.heddle.libraries;

import dev.heddle.libraries.HttpClientLibrary.Way;

import java.util.Optional;

final class HttpClientStageTest extends LibraryContract {
    HttpClientStageTest(WebServer server) {
        super(new HttpClientLibrary(server, Way.STAGE));
    }

    @Override
    Optional<Class<? extends Throwable>> thrownWhenInterrupted() {
        return Optional.empty();
    }
}
