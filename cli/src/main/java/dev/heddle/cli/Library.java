package dev.heddle.cli;

import dev.heddle.loop.Loop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/// The Heddle library that programs are compiled against and run with.
///
/// **Thread:** immutable.
final class Library {
    private Library() {}

    /// {@return its jar, or its folder of classes}
    static Path location() {
        try {
            return Path.of(Loop.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException cause) {
            throw new AssertionError("a code source is a file", cause);
        }
    }

    /// {@return a text that changes when the library does}
    static String fingerprint() {
        Path location = location();
        try {
            return Files.isDirectory(location)
                    ? fingerprintOfFolder(location)
                    : CacheKey.checksum(Files.readAllBytes(location));
        } catch (IOException cause) {
            throw new UncheckedIOException("cannot read the library itself: " + location, cause);
        }
    }

    // Classes that lie loose are those of a build under way, so that time stamps are good enough.
    private static String fingerprintOfFolder(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .map(Library::describe)
                    .sorted()
                    .collect(Collectors.joining("\n"));
        }
    }

    private static String describe(Path file) {
        try {
            return file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file);
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }
}
