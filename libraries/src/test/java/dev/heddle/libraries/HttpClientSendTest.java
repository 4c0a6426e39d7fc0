package dev.heddle.libraries;

import dev.heddle.libraries.HttpClientLibrary.Way;

final class HttpClientSendTest extends LibraryContract {
    HttpClientSendTest(WebServer server) {
        super(new HttpClientLibrary(server, Way.SEND));
    }
}
