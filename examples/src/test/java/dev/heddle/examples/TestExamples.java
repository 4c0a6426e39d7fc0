package dev.heddle.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The files of `examples/testing`, which a user copies. They are compiled here, not by the build,
/// because some of their tests fail, and are meant to.
record TestExamples(Map<String, String> sources) {
    private static final Path FOLDER = Path.of("testing");
    private static final Pattern IMPORTS = Pattern.compile("\\A(import [^;]+;\\n|\\n)+");

    static TestExamples read() throws IOException {
        var sources = new TreeMap<String, String>();
        try (var files = Files.newDirectoryStream(FOLDER, "*.java")) {
            for (Path file : files) {
                sources.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return new TestExamples(sources);
    }

    /// {@return the text of a file, as the guide shows it; empty if there is none}
    String withoutImports(String fileName) {
        return IMPORTS.matcher(sources.getOrDefault(fileName, "")).replaceFirst("");
    }

    /// {@return the same with something else in one file, as if a user had edited it}
    TestExamples edited(String fileName, String before, String after) {
        String text = sources.get(fileName);
        if (!text.contains(before)) {
            throw new AssertionError(fileName + " does not contain " + before);
        }
        var edited = new TreeMap<>(sources);
        edited.put(fileName, text.replace(before, after));
        return new TestExamples(edited);
    }

    /// Compiles them all and runs the tests of one.
    TestRun run(String className) throws Exception {
        var loader =
                BlockCompiler.compile(sources, (file, line) -> FOLDER.resolve(file) + ":" + line);
        return TestRun.of(loader.loadClass(className));
    }
}
