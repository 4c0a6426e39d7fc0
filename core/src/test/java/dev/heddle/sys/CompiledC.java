package dev.heddle.sys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.regex.Pattern;

/// What the C compiler of this machine says about a list of expressions: a program is written,
/// compiled and run.
///
/// Names that the installed headers do not have are found by trying, because enumerators cannot be
/// asked for with `#ifdef`: the compiler tells which ones it does not know.
final class CompiledC {
    /// Headers, each taken if it is there.
    static final List<String> HEADERS =
            List.of(
                    "errno.h",
                    "fcntl.h",
                    "linux/io_uring.h",
                    "poll.h",
                    "stddef.h",
                    "stdio.h",
                    "sys/epoll.h",
                    "sys/event.h",
                    "sys/eventfd.h",
                    "sys/mman.h",
                    "sys/resource.h",
                    "sys/stat.h",
                    "sys/syscall.h",
                    "sys/types.h",
                    "time.h",
                    "unistd.h");

    // How gcc and clang say it.
    private static final Pattern UNKNOWN =
            Pattern.compile(
                    "'(\\w+)' undeclared|undeclared identifier '(\\w+)'|no member named"
                            + " '(\\w+)'|(?:incomplete|undefined)[^']*'(struct \\w+)'");

    private final Set<String> unknown = new TreeSet<>();
    private final Map<String, Long> values = new HashMap<>();

    /// @param expressions in C
    /// @param olderNames what the headers once called something that they may not know yet
    CompiledC(Path folder, List<String> expressions, Map<String, String> olderNames)
            throws IOException {
        var source = folder.resolve("layout.c");
        // Every round finds a name that is not known, which bounds the rounds.
        while (true) {
            Files.writeString(source, program(expressions, olderNames));
            String errors = Gcc.compile(folder, "-w", "-o", "layout", "layout.c");
            if (errors.isEmpty()) {
                break;
            }
            int before = unknown.size();
            UNKNOWN.matcher(errors)
                    .results()
                    .forEach(match -> unknown.add(firstOf(match::group, match.groupCount())));
            if (unknown.size() == before) {
                throw new AssertionError("gcc refuses the program:\n" + errors);
            }
        }
        for (String line : Gcc.run(folder, folder.resolve("layout").toString()).lines().toList()) {
            int space = line.indexOf(' ');
            long value = Long.parseUnsignedLong(line.substring(0, space), 16);
            values.put(line.substring(space + 1), value);
        }
    }

    /// {@return the names that the headers do not have, under any name}
    Set<String> unknown() {
        return unknown;
    }

    /// {@return whether this expression, or this header, is known}
    boolean knows(String expression) {
        return values.containsKey(expression);
    }

    long valueOf(String expression) {
        return values.get(expression);
    }

    private String program(List<String> expressions, Map<String, String> olderNames) {
        var text = new StringBuilder("#define _GNU_SOURCE\n");
        for (String header : HEADERS) {
            text.append("#if __has_include(<").append(header).append(">)\n#include <");
            text.append(header).append(">\n#endif\n");
        }
        text.append("int main(void) {\n");
        for (String header : HEADERS) {
            text.append("#if __has_include(<").append(header).append(">)\n");
            text.append("    puts(\"1 ").append(header).append("\");\n#endif\n");
        }
        for (String expression : expressions) {
            String asked = expression;
            for (String name : unknown) {
                asked = asked.replaceAll("\\b" + name + "\\b", olderNames.getOrDefault(name, "?"));
            }
            if (!asked.contains("?")) {
                text.append("    printf(\"%llx ").append(expression).append("\\n\", ");
                text.append("(unsigned long long) (").append(asked).append("));\n");
            }
        }
        return text.append("    return 0;\n}\n").toString();
    }

    private static String firstOf(IntFunction<String> group, int count) {
        for (int i = 1; i <= count; i++) {
            if (group.apply(i) != null) {
                return group.apply(i);
            }
        }
        throw new AssertionError("a match without a group");
    }
}
