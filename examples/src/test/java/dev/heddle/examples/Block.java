package dev.heddle.examples;

import java.nio.file.Path;

/// A block of Java in a Markdown page, and what the page says that it prints.
///
/// @param page where it stands, from the root of the project
/// @param line of its first line of code, counted from one as editors do
/// @param fileName under which a reader would save it
/// @param fragment whether it is the inside of a program, not a whole one
/// @param code its text; every line ends with a newline
/// @param output all that it prints; nothing if the page shows none
record Block(Path page, int line, String fileName, boolean fragment, String code, String output) {
    // One line: the compiler's line numbers are off by exactly that.
    private static final String HEAD =
            "import static dev.heddle.Heddle.*; import static java.time.Duration.*;"
                    + " import dev.heddle.*;"
                    + " void main() throws Exception { dev.heddle.Heddle.run(() -> {\n";
    private static final String TAIL = "}); }\n";

    /// {@return a compact source file}
    String source() {
        return fragment ? HEAD + code + TAIL : code;
    }

    /// {@return the line of the page on which `line` of [#source] stands}
    long pageLine(long line) {
        return this.line + line - (fragment ? 2 : 1);
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
