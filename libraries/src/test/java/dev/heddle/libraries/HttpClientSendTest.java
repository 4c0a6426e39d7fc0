package dev.heddle.libraries;

import dev.heddle.libraries.HttpClientLibrary.Way;

import java.util.Optional;

final class HttpClientSendTest extends LibraryContract {
    HttpClientSendTest(WebServer server) {
        super(new HttpClientLibrary(server, Way.SEND));
    }

    @Override
    Optional<Class<? extends Throwable>> thrownWhenInterrupted() {
        return Optional.of(InterruptedException.class);
    }
}
