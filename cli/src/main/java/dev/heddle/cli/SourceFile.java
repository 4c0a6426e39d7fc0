package dev.heddle.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/// A program's source file, as it was when it was read.
///
/// **Thread:** immutable.
final class SourceFile {
    private static final String SUFFIX = ".java";

    private final Path path;
    private final byte[] content;

    private SourceFile(Path path, byte[] content) {
        this.path = path;
        this.content = content;
    }

    /// @throws UserError if there is no such source file, in a line that says what there is instead
    static SourceFile read(String name) throws UserError {
        if (name.isEmpty()) {
            throw UserError.usage("the name of the file to run is empty");
        }
        Path path = parse(name);
        if (Files.isDirectory(path)) {
            throw UserError.usage(name + " is a directory; run takes one .java file");
        }
        if (!Files.exists(path)) {
            boolean suffixLeftOut = Files.isRegularFile(parse(name + SUFFIX));
            String hint = suffixLeftOut ? "; did you mean " + name + SUFFIX + "?" : "";
            throw UserError.usage("no such file: " + name + hint);
        }
        if (!name.endsWith(SUFFIX)) {
            throw UserError.usage(name + " is not a .java file");
        }
        try {
            return new SourceFile(path, Files.readAllBytes(path));
        } catch (IOException refused) {
            throw UserError.usage("cannot read " + name + ": " + UserError.reason(refused));
        }
    }

    /// {@return the path, as the user wrote it}
    Path path() {
        return path;
    }

    Path folder() {
        Path parent = path.getParent();
        return parent == null ? Path.of("") : parent;
    }

    /// {@return what decides what the compiler makes of this file}
    ///
    /// Except the content of the files beside it: which of them matter is known only afterwards,
    /// and [#isCurrent] compares those. Their names are in it, because a new file there can give a
    /// simple name another meaning. (A new file in another package can only do that to a name that
    /// is imported on demand; that is not noticed.)
    CacheKey key() {
        return new CacheKey()
                .add(System.getProperty("java.vendor.version", ""))
                .add(System.getProperty("java.runtime.version", ""))
                .add(Library.fingerprint())
                .add(String.valueOf(path.getFileName()))
                .add(String.join("/", sourcesBeside()))
                .add(content);
    }

    /// {@return whether the other files that went into `compiled` are as they were}
    boolean isCurrent(Compiled compiled) {
        return compiled.others().stream()
                .allMatch(other -> holds(folder().resolve(other.path()), other.content()));
    }

    /// {@return whether the file still is what was read, so that the compiler read the same}
    boolean isUnchanged() {
        return holds(path, content);
    }

    private static boolean holds(Path file, byte[] content) {
        try {
            return Arrays.equals(content, Files.readAllBytes(file));
        } catch (IOException gone) {
            return false;
        }
    }

    private static Path parse(String name) throws UserError {
        try {
            return Path.of(name);
        } catch (InvalidPathException bad) {
            // In the C locale the JVM has no way to name a file with an umlaut.
            throw UserError.usage(
                    "cannot name the file "
                            + name
                            + " ("
                            + bad.getReason()
                            + ");"
                            + " try LC_ALL=C.UTF-8");
        }
    }

    private List<String> sourcesBeside() {
        var names = new ArrayList<String>();
        try (var files = Files.newDirectoryStream(folder(), "*" + SUFFIX)) {
            files.forEach(file -> names.add(String.valueOf(file.getFileName())));
        } catch (IOException notListable) {
            // Then the compiler cannot find anything there either.
            return List.of();
        }
        Collections.sort(names);
        return names;
    }
}
