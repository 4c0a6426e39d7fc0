package dev.heddle.libraries;

final class OkHttpTest extends LibraryContract {
    OkHttpTest(WebServer server) {
        super(new OkHttpLibrary(server));
    }
}
