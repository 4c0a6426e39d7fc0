package dev.heddle.libraries;

import dev.heddle.libraries.HttpClientLibrary.Way;

import java.util.Optional;

final class HttpClientFutureTest extends LibraryContract {
    HttpClientFutureTest(WebServer server) {
        super(new HttpClientLibrary(server, Way.FUTURE));
    }

    @Override
    Optional<Class<? extends Throwable>> thrownWhenInterrupted() {
        return Optional.of(InterruptedException.class);
    }

    @Override
    boolean waitsForTheWorld() {
        return false;
    }
}
