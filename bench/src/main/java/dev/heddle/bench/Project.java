package dev.heddle.bench;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Where the source tree is: the C sources are compiled from it, results are written into it.
///
/// **Thread:** any.
final class Project {
    private static final Path MARK = Path.of("bench", "src", "main", "c");

    private Project() {}

    /// {@return the root: above the working folder, or else above this program}
    ///
    /// @throws IOException if neither is inside a source tree
    static Path root() throws IOException {
        Path working = Path.of("").toAbsolutePath();
        return above(working)
                .or(() -> program().flatMap(Project::above))
                .orElseThrow(
                        () ->
                                new IOException(
                                        "no Heddle source tree around "
                                                + working
                                                + ": run this inside one"));
    }

    private static Optional<Path> above(Path start) {
        for (Path folder = start; folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder.resolve(MARK))) {
                return Optional.of(folder);
            }
        }
        return Optional.empty();
    }

    private static Optional<Path> program() {
        try {
            var source = Project.class.getProtectionDomain().getCodeSource();
            return source == null
                    ? Optional.empty()
                    : Optional.of(Path.of(source.getLocation().toURI()).toAbsolutePath());
        } catch (URISyntaxException noPath) {
            return Optional.empty();
        }
    }
}
