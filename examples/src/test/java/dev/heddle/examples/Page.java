package dev.heddle.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Finds the blocks of Java in a Markdown page.
///
/// A fence ` ```java ` begins a whole program, a compact source file. ` ```java fragment ` begins
/// the inside of one: it is put into `Heddle.run`, with Heddle and `Duration` imported. A file
/// name, ` ```java Shop.java `, says under which name the program is compiled, for pages that show
/// a stack. If the next fence is ` ```text `, that is what the program prints, all of it; if not,
/// the program must print nothing.
///
/// ` ```java tests ` begins the inside of a test class, with JUnit, its assertions and the test kit
/// imported too. All tests pass; or, if ` ```text ` follows, one fails in this way, see
/// [TestRun#isAsShown]. ` ```java testing/Name.java ` shows that file of the examples, without its
/// imports; if it is a test, it is run like the others.
final class Page {
    private static final String FENCE = "```";
    private static final String DEFAULT_NAME = "Main.java";
    private static final String TESTS_NAME = "Tests.java";
    private static final Pattern FILE_NAME = Pattern.compile("(testing/)?([A-Z]\\w*\\.java)");

    private final Path path;
    private final List<String> lines;
    private int next;

    private Page(Path path, List<String> lines) {
        this.path = path;
        this.lines = lines;
    }

    /// @param root of the project
    /// @param path from there
    static List<Block> blocks(Path root, Path path) throws IOException {
        return new Page(path, Files.readAllLines(root.resolve(path))).blocks();
    }

    private List<Block> blocks() {
        var fences = new ArrayList<Fence>();
        while (next < lines.size()) {
            String line = lines.get(next++);
            if (line.stripLeading().startsWith(FENCE)) {
                fences.add(fence(line));
            }
        }
        var blocks = new ArrayList<Block>();
        for (int i = 0; i < fences.size(); i++) {
            if (fences.get(i).language().equals("java")) {
                blocks.add(block(fences.get(i), i + 1 < fences.size() ? fences.get(i + 1) : null));
            }
        }
        return blocks;
    }

    private Fence fence(String opening) {
        int first = next;
        int indent = opening.indexOf(FENCE);
        var text = new StringBuilder();
        while (next < lines.size()) {
            String line = lines.get(next++);
            if (line.strip().equals(FENCE)) {
                String info = opening.strip().substring(FENCE.length());
                return new Fence(first + 1, info.strip(), text.toString());
            }
            text.append(line.substring(Math.min(indent, line.length()))).append('\n');
        }
        throw new AssertionError(path + ":" + first + ": a block begins here and never ends");
    }

    private Block block(Fence code, Fence after) {
        String rest = code.info().substring("java".length()).strip();
        String output = after != null && after.info().equals("text") ? after.text() : "";
        var file = FILE_NAME.matcher(rest);
        Block.Kind kind;
        String name = DEFAULT_NAME;
        if (rest.isEmpty()) {
            kind = Block.Kind.PROGRAM;
        } else if (rest.equals("fragment")) {
            kind = Block.Kind.FRAGMENT;
        } else if (rest.equals("tests")) {
            kind = Block.Kind.TESTS;
            name = TESTS_NAME;
        } else if (file.matches()) {
            kind = file.group(1) == null ? Block.Kind.PROGRAM : Block.Kind.EXAMPLE;
            name = file.group(2);
        } else {
            throw new AssertionError(
                    ("%s:%d: what is `java %s`? Write java, java fragment, java tests,"
                                    + " java Name.java or java testing/Name.java")
                            .formatted(path, code.line() - 1, rest));
        }
        return new Block(path, code.line(), name, kind, code.text(), output);
    }

    private record Fence(int line, String info, String text) {
        String language() {
            return info.split("\\s", 2)[0];
        }
    }
}
