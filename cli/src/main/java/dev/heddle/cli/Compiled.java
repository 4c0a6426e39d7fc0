package dev.heddle.cli;

import java.util.List;
import java.util.Map;

/// What the compiler made of a source file and of the files that it refers to.
///
/// **Thread:** immutable.
///
/// @param mainClass the first class of the source file
/// @param others the other source files that were compiled; none for most programs
/// @param classes class files by binary name
record Compiled(String mainClass, List<Other> others, Map<String, byte[]> classes) {
    Compiled {
        others = List.copyOf(others);
        classes = Map.copyOf(classes);
    }

    /// A source file that was compiled because the main one refers to it.
    ///
    /// @param path relative to the main file's folder, which may be moved as a whole
    @SuppressWarnings("ArrayRecordComponent") // never compared as a record
    record Other(String path, byte[] content) {}
}
