package dev.heddle.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/// Compiled programs on disk, one file each, found by [CacheKey].
///
/// A file is written under another name and renamed into its place, so that a reader sees all of it
/// or nothing, whoever else runs. A file that cannot be read for any reason counts as absent.
/// Bounded: storing removes those not used for longest beyond [#ENTRIES_MAX]. A folder that cannot
/// be written costs only speed: programs run from memory anyway.
///
/// **Thread:** owner; other processes may share the folder.
final class ClassCache {
    static final int ENTRIES_MAX = 200;

    private static final String SUFFIX = ".classes";
    private static final String UNFINISHED = ".tmp";

    private final Path folder;

    ClassCache(Path folder) {
        this.folder = folder;
    }

    /// {@return the user's cache}
    static ClassCache open() {
        return new ClassCache(place(System.getenv()));
    }

    /// {@return where the XDG base directory specification puts it}
    static Path place(Map<String, String> environment) {
        String base = environment.getOrDefault("XDG_CACHE_HOME", "");
        // The specification: a relative path is to be ignored.
        Path root =
                base.startsWith("/")
                        ? Path.of(base)
                        : Path.of(System.getProperty("user.home"), ".cache");
        return root.resolve("heddle").resolve("run");
    }

    Path folder() {
        return folder;
    }

    Optional<Compiled> find(CacheKey key) {
        Path file = file(key);
        try {
            Optional<Compiled> found = CacheEntry.parse(Files.readAllBytes(file), key);
            if (found.isPresent()) {
                markUsed(file);
            }
            return found;
        } catch (IOException absent) {
            return Optional.empty();
        }
    }

    /// Keeps `compiled` for the next time, or says in a line why it cannot.
    void store(CacheKey key, Compiled compiled) {
        try {
            createFolder();
            write(key, CacheEntry.format(key, compiled));
            removeOldest();
        } catch (IOException refused) {
            System.err.println(
                    "heddle: warning: compiled classes cannot be kept in "
                            + folder
                            + " ("
                            + UserError.reason(refused)
                            + "); compiling every time");
        }
    }

    void createFolder() throws IOException {
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            // What is in here will be run: nobody else may write it.
            var ownerOnly = PosixFilePermissions.fromString("rwx------");
            Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(ownerOnly));
        } else {
            Files.createDirectories(folder);
        }
    }

    private Path file(CacheKey key) {
        return folder.resolve(key.name() + SUFFIX);
    }

    private static void markUsed(Path file) {
        try {
            Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
        } catch (IOException refused) {
            // A read-only cache: nobody removes anything there.
        }
    }

    private void write(CacheKey key, byte[] entry) throws IOException {
        // Not Files.createTempFile: its secure random numbers take longer than the rest of this.
        long unique = ThreadLocalRandom.current().nextLong();
        Path unfinished = folder.resolve(key.name() + Long.toHexString(unique) + UNFINISHED);
        try {
            Files.write(unfinished, entry, StandardOpenOption.CREATE_NEW);
            Files.move(unfinished, file(key), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failed) {
            Files.deleteIfExists(unfinished);
            throw failed;
        }
    }

    // Unfinished files of processes that were killed grow old like all others, and go with them.
    private void removeOldest() throws IOException {
        var ages = new HashMap<Path, FileTime>();
        try (var files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                age(file).ifPresent(age -> ages.put(file, age));
            }
        }
        List<Path> oldestFirst = new ArrayList<>(ages.keySet());
        oldestFirst.sort(Comparator.comparing(ages::get));
        for (Path file : oldestFirst.subList(0, Math.max(0, oldestFirst.size() - ENTRIES_MAX))) {
            Files.deleteIfExists(file);
        }
    }

    private static Optional<FileTime> age(Path file) {
        try {
            return Optional.of(Files.getLastModifiedTime(file));
        } catch (IOException removedByAnotherProcess) {
            return Optional.empty();
        }
    }
}
