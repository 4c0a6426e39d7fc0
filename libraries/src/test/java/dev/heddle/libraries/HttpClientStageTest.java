package dev.heddle.libraries;

import dev.heddle.libraries.HttpClientLibrary.Way;

final class HttpClientStageTest extends LibraryContract {
    HttpClientStageTest(WebServer server) {
        super(new HttpClientLibrary(server, Way.STAGE));
    }
}
