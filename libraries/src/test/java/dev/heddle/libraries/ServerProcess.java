package dev.heddle.libraries;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// A server that was started for the tests, and is gone after them.
///
/// **Thread:** any.
final class ServerProcess implements Closeable {
    private static final long PATIENCE_SECONDS = 30;

    private final Process process;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final ConcurrentLinkedQueue<String> said = new ConcurrentLinkedQueue<>();
    // Also if the JVM is told to end in the middle of the tests.
    private final Thread hook;

    private ServerProcess(Process process) {
        this.process = process;
        hook = new Thread(process::destroy);
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /// Starts `command` in `folder`, and returns when it has printed a line with `sign`.
    static ServerProcess start(Path folder, String sign, List<String> command) throws IOException {
        var server = new ServerProcess(builder(folder, command).start());
        Thread.ofPlatform().daemon().start(() -> server.listen(sign));
        try {
            server.ready.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return server;
        } catch (InterruptedException | ExecutionException | TimeoutException failed) {
            server.close();
            throw new IOException(command + " did not start: " + server.said, failed);
        }
    }

    /// Runs `command` in `folder`, to its end.
    static void run(Path folder, List<String> command) throws IOException {
        var process = builder(folder, command).start();
        try (var out = process.inputReader()) {
            String said = String.join("\n", out.lines().toList());
            if (process.waitFor() != 0) {
                throw new IOException(command + " failed: " + said);
            }
        } catch (InterruptedException meant) {
            process.destroyForcibly();
            throw new IOException(command + " was interrupted", meant);
        }
    }

    private static ProcessBuilder builder(Path folder, List<String> command) {
        var builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("LC_ALL", "C");
        return builder.redirectErrorStream(true);
    }

    // To its end: a server whose output nobody reads stops in the end.
    private void listen(String sign) {
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.contains(sign)) {
                    ready.complete(null);
                }
                if (!ready.isDone()) {
                    said.add(line);
                }
            }
        } catch (IOException broken) {
            said.add(broken.toString());
        }
        ready.completeExceptionally(new IOException("it ended"));
    }

    @Override
    public void close() throws IOException {
        Runtime.getRuntime().removeShutdownHook(hook);
        process.destroy();
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("pid " + process.pid() + " did not end when it was told to");
            }
        } catch (InterruptedException meant) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    static void delete(Path folder) throws IOException {
        try (var paths = Files.walk(folder)) {
            for (Path each : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        } catch (UncheckedIOException failed) {
            throw failed.getCause();
        }
    }
}
