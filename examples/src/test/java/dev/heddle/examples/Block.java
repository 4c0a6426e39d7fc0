package dev.heddle.examples;

import java.nio.file.Path;

/// A block of Java in a Markdown page, and what the page says that comes of it.
///
/// @param page where it stands, from the root of the project
/// @param line of its first line of code, counted from one as editors do
/// @param fileName under which a reader would save it
/// @param kind what it is
/// @param code its text; every line ends with a newline
/// @param output all that it prints, or how its tests fail; nothing if the page shows none
record Block(Path page, int line, String fileName, Kind kind, String code, String output) {
    // One line each: the compiler's line numbers are off by exactly that.
    private static final String HEDDLE =
            "import static dev.heddle.Heddle.*; import static java.time.Duration.*;"
                    + " import dev.heddle.*; ";
    private static final String MAIN =
            HEDDLE + "void main() throws Exception { dev.heddle.Heddle.run(() -> {\n";
    private static final String TESTS =
            HEDDLE
                    + "import static org.junit.jupiter.api.Assertions.*; import"
                    + " dev.heddle.reactor.*; import dev.heddle.test.*; import"
                    + " org.junit.jupiter.api.*; import org.junit.jupiter.params.*; import"
                    + " org.junit.jupiter.params.provider.*; import module java.base; final class"
                    + " Tests {\n";

    /// What a block can be.
    enum Kind {
        /// A whole program, in one compact file.
        PROGRAM,

        /// The inside of one.
        FRAGMENT,

        /// The inside of a test class.
        TESTS,

        /// A file of the folder of test examples, without its imports.
        EXAMPLE
    }

    /// {@return a source file}
    String source() {
        return switch (kind) {
            case FRAGMENT -> MAIN + code + "}); }\n";
            case TESTS -> TESTS + code + "}\n";
            case PROGRAM, EXAMPLE -> code;
        };
    }

    /// {@return the line of the page on which `line` of [#source] stands}
    long pageLine(long line) {
        boolean wrapped = kind == Kind.FRAGMENT || kind == Kind.TESTS;
        return this.line + line - (wrapped ? 2 : 1);
    }

    String className() {
        return fileName.replace(".java", "");
    }

    /// {@return where it begins, as editors and build logs understand it}
    String place() {
        return page + ":" + line;
    }

    @Override
    public String toString() {
        return place();
    }
}
