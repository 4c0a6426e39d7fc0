package dev.heddle.libraries;

import okhttp3.OkHttpClient;
import okhttp3.Request;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/// OkHttp, asked by calls that block.
///
/// **Thread:** any.
final class OkHttpLibrary implements Library {
    private final WebServer server;
    private final OkHttpClient client =
            new OkHttpClient.Builder().readTimeout(Duration.ofMinutes(2)).build();

    OkHttpLibrary(WebServer server) {
        this.server = server;
    }

    @Override
    public String echo(int number) throws IOException {
        return ask(server.echo(number));
    }

    @Override
    public void block(Duration time) throws IOException {
        ask(server.after(time));
    }

    private String ask(URI uri) throws IOException {
        var request = new Request.Builder().url(uri.toString()).build();
        try (var response = client.newCall(request).execute()) {
            return response.body().string();
        }
    }

    @Override
    public void close() {
        client.connectionPool().evictAll();
        client.dispatcher().executorService().shutdown();
    }
}
