package dev.heddle.libraries;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.ArrayList;
import java.util.List;

/// A PostgreSQL of our own: a new cluster in a folder for temporary files, on a free port.
///
/// It refuses to run as root, so then it runs as the user that its package has made.
///
/// **Thread:** any.
final class PostgresServer implements Closeable {
    static final String INSTALL = "apt-get install --no-install-recommends postgresql";
    static final int CONNECTIONS_MAX = 150;

    private static final String USER = "postgres";

    private final Path bin;
    private final Path folder;
    private final int port;
    private final ServerProcess process;

    private PostgresServer(Path bin, Path folder) throws IOException {
        this.bin = bin;
        this.folder = folder;
        giveAway();
        ServerProcess.run(
                folder,
                command(
                        "initdb",
                        "--pgdata=data",
                        "--username=" + USER,
                        "--auth=trust",
                        "--encoding=UTF8",
                        "--no-locale",
                        "--no-sync"));
        port = ServerProcess.freePort();
        process =
                ServerProcess.start(
                        folder,
                        "ready to accept connections",
                        command(
                                "postgres",
                                "-D",
                                "data",
                                "-p",
                                String.valueOf(port),
                                "-c",
                                "listen_addresses=127.0.0.1",
                                "-c",
                                "unix_socket_directories=",
                                "-c",
                                "fsync=off",
                                "-c",
                                "max_connections=" + CONNECTIONS_MAX));
    }

    /// @throws MissingServerException if it is not installed
    static PostgresServer start() throws IOException, MissingServerException {
        Path bin = Programs.folderOf("initdb", Path.of("/usr/lib/postgresql"));
        if (bin == null) {
            throw new MissingServerException("PostgreSQL", INSTALL);
        }
        Path folder = Files.createTempDirectory("heddle-postgres-");
        try {
            return new PostgresServer(bin, folder);
        } catch (IOException | RuntimeException failed) {
            ServerProcess.delete(folder);
            throw failed;
        }
    }

    /// {@return the address of its only database}
    ///
    /// @param options what is added behind the question mark
    String url(String options) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + USER + "&" + options;
    }

    private void giveAway() throws IOException {
        if (Programs.isRoot()) {
            var users = folder.getFileSystem().getUserPrincipalLookupService();
            try {
                Files.setOwner(folder, users.lookupPrincipalByName(USER));
            } catch (UserPrincipalNotFoundException nobody) {
                throw new IOException("root cannot run PostgreSQL, and has no user " + USER);
            }
        }
    }

    private List<String> command(String program, String... arguments) {
        var command = new ArrayList<String>();
        if (Programs.isRoot()) {
            // It becomes the program: the process that we end is the server itself.
            command.addAll(List.of("setpriv", "--reuid", USER, "--regid", USER, "--clear-groups"));
        }
        command.add(bin.resolve(program).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    /// Ends it at once, whatever its clients are at: cancelled queries go on for as long as they
    /// like.
    @Override
    public void close() throws IOException {
        try {
            ServerProcess.run(
                    folder, command("pg_ctl", "stop", "--pgdata=data", "--mode=immediate"));
        } finally {
            process.close();
            ServerProcess.delete(folder);
        }
    }
}
