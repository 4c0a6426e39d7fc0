package dev.heddle.libraries;

import dev.heddle.Heddle;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// The JDK's client for HTTP, in one of the ways to ask it.
///
/// **Thread:** any.
final class HttpClientLibrary implements Library {
    /// A way to ask.
    enum Way {
        SEND {
            @Override
            HttpResponse<String> ask(HttpClient client, HttpRequest request)
                    throws IOException, InterruptedException {
                return client.send(request, BodyHandlers.ofString());
            }
        },
        FUTURE {
            @Override
            HttpResponse<String> ask(HttpClient client, HttpRequest request)
                    throws ExecutionException, InterruptedException {
                return later(client, request).get();
            }
        },
        STAGE {
            @Override
            HttpResponse<String> ask(HttpClient client, HttpRequest request) {
                return Heddle.await(later(client, request));
            }
        };

        abstract HttpResponse<String> ask(HttpClient client, HttpRequest request) throws Exception;

        private static CompletableFuture<HttpResponse<String>> later(
                HttpClient client, HttpRequest request) {
            return client.sendAsync(request, BodyHandlers.ofString());
        }
    }

    private final WebServer server;
    private final Way way;
    private final HttpClient client = HttpClient.newHttpClient();

    HttpClientLibrary(WebServer server, Way way) {
        this.server = server;
        this.way = way;
    }

    @Override
    public String echo(int number) throws Exception {
        return ask(server.echo(number));
    }

    @Override
    public void block(Duration time) throws Exception {
        ask(server.after(time));
    }

    private String ask(URI uri) throws Exception {
        return way.ask(client, HttpRequest.newBuilder(uri).build()).body();
    }

    /// Not in the orderly way, which waits for the answers.
    @Override
    public void close() {
        client.shutdownNow();
    }
}
