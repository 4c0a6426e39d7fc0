package dev.heddle.libraries;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A Redis of our own, which keeps nothing, on a free port.
///
/// **Thread:** any.
final class RedisServer implements Closeable {
    static final String INSTALL = "apt-get install --no-install-recommends redis-server";

    final int port;
    private final Path folder;
    private final ServerProcess process;

    private RedisServer(Path program, Path folder) throws IOException {
        this.folder = folder;
        port = ServerProcess.freePort();
        process =
                ServerProcess.start(
                        folder,
                        "Ready to accept connections",
                        List.of(
                                program.toString(),
                                "--port",
                                String.valueOf(port),
                                "--bind",
                                "127.0.0.1",
                                "--save",
                                "",
                                "--dir",
                                folder.toString()));
    }

    /// @throws MissingServerException if it is not installed
    static RedisServer start() throws IOException, MissingServerException {
        Path bin = Programs.folderOf("redis-server", Path.of("/usr/bin"));
        if (bin == null) {
            throw new MissingServerException("Redis", INSTALL);
        }
        Path folder = Files.createTempDirectory("heddle-redis-");
        try {
            return new RedisServer(bin.resolve("redis-server"), folder);
        } catch (IOException | RuntimeException failed) {
            ServerProcess.delete(folder);
            throw failed;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            process.close();
        } finally {
            ServerProcess.delete(folder);
        }
    }
}
