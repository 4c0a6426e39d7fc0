package dev.heddle.libraries;

import dev.heddle.libraries.HttpClientLibrary.Way;

final class HttpClientFutureTest extends LibraryContract {
    HttpClientFutureTest(WebServer server) {
        super(new HttpClientLibrary(server, Way.FUTURE));
    }
}
