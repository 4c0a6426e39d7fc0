package dev.heddle.libraries;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// The JDK's HTTP server, outside of all loops.
///
/// **Thread:** any.
final class WebServer implements Closeable {
    private static final int BACKLOG = 1000;

    private final HttpServer server;
    private final ExecutorService handlers = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch closing = new CountDownLatch(1);

    private WebServer(HttpServer server) {
        this.server = server;
    }

    static WebServer start() throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var web = new WebServer(HttpServer.create(address, BACKLOG));
        web.server.setExecutor(web.handlers);
        web.server.createContext("/echo/", exchange -> answer(exchange, lastPart(exchange)));
        web.server.createContext("/wait/", web::answerLate);
        web.server.createContext("/fail/", web::failLate);
        web.server.start();
        return web;
    }

    /// {@return what answers with `number`}
    URI echo(int number) {
        return uri("/echo/" + number);
    }

    /// {@return what answers after this time, or when the server ends}
    URI after(Duration time) {
        return uri("/wait/" + time.toMillis());
    }

    /// {@return what closes the connection after this time, without an answer}
    URI failureAfter(Duration time) {
        return uri("/fail/" + time.toMillis());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private void answerLate(HttpExchange exchange) throws IOException {
        await(exchange);
        answer(exchange, "late");
    }

    private void failLate(HttpExchange exchange) {
        await(exchange);
        exchange.close();
    }

    private void await(HttpExchange exchange) {
        try {
            closing.await(Long.parseLong(lastPart(exchange)), TimeUnit.MILLISECONDS);
        } catch (InterruptedException meant) {
            // The server ends: whatever is answered now, nobody reads it.
            Thread.currentThread().interrupt();
        }
    }

    private static String lastPart(HttpExchange exchange) {
        String path = exchange.getRequestURI().getPath();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        try (exchange;
                var out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        handlers.shutdownNow();
    }
}
