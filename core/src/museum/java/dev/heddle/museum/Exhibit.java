package dev.heddle.museum;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A bug that we do not have: who had it, what it would look like here, and which tests would find
/// it.
///
/// A file of text, called like the exhibit:
///
/// ```text
/// title: one line
/// story: whose bug it was and what it did, continued in
/// story: as many lines as needed
/// source: dev/heddle/loop/Inbox.java
/// test: dev.heddle.loop.InboxTest
/// test: dev.heddle.loop.SimLoopTest$Post#whatIsPostedRuns
/// hangs: yes
/// == before
/// text that stands in the source exactly once
/// == after
/// what stands there instead
/// ```
///
/// `hangs` is rare: it says that a run which does not end is what is expected. Most bugs that hang
/// are found by a test's own time limit and do not need it.
///
/// **Thread:** immutable.
///
/// @param source below `core/src/main/java`
/// @param tests classes, or class#method
record Exhibit(
        String name,
        String title,
        String story,
        String source,
        List<String> tests,
        boolean mayHang,
        String before,
        String after) {
    private static final String BEFORE = "== before";
    private static final String AFTER = "== after";
    private static final String SUFFIX = ".txt";

    /// {@return all of them, by name}
    static List<Exhibit> readAll(Path folder) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.list(folder)) {
            files = all.filter(file -> file.toString().endsWith(SUFFIX)).sorted().toList();
        }
        var exhibits = new ArrayList<Exhibit>();
        for (var file : files) {
            String name = file.getFileName().toString();
            exhibits.add(
                    parse(
                            name.substring(0, name.length() - SUFFIX.length()),
                            Files.readAllLines(file)));
        }
        return exhibits;
    }

    static Exhibit parse(String name, List<String> lines) {
        int before = lines.indexOf(BEFORE);
        int after = lines.indexOf(AFTER);
        if (before < 0 || after < before) {
            throw new BadExhibit(name, "needs the lines \"" + BEFORE + "\" and \"" + AFTER + "\"");
        }
        var head = lines.subList(0, before);
        checkHead(name, head);
        var tests = values(head, "test");
        if (tests.isEmpty()) {
            throw new BadExhibit(name, "names no test");
        }
        return new Exhibit(
                name,
                one(name, head, "title"),
                String.join(" ", values(head, "story")),
                one(name, head, "source"),
                tests,
                values(head, "hangs").equals(List.of("yes")),
                String.join("\n", lines.subList(before + 1, after)),
                String.join("\n", lines.subList(after + 1, lines.size())));
    }

    /// {@return the source with the bug in it}
    String mutate(String text) {
        int at = text.indexOf(before);
        if (at < 0) {
            throw new BadExhibit(name, source + " does not contain its text any more");
        }
        if (text.indexOf(before, at + 1) >= 0) {
            throw new BadExhibit(name, source + " contains its text more than once");
        }
        return text.substring(0, at) + after + text.substring(at + before.length());
    }

    private static void checkHead(String name, List<String> head) {
        for (var line : head) {
            if (!line.matches("(title|story|source|test|hangs): .+")) {
                throw new BadExhibit(name, "has a line that says nothing: \"" + line + "\"");
            }
        }
    }

    private static String one(String name, List<String> head, String key) {
        var values = values(head, key);
        if (values.size() != 1) {
            throw new BadExhibit(name, "needs one line \"" + key + ":\"");
        }
        return values.getFirst();
    }

    private static List<String> values(List<String> head, String key) {
        String start = key + ": ";
        return head.stream()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length()).strip())
                .toList();
    }

    /// The exhibit itself is wrong, or the code has moved on under it.
    ///
    /// **Thread:** immutable.
    static final class BadExhibit extends RuntimeException {
        private static final long serialVersionUID = 1;

        BadExhibit(String name, String problem) {
            super(name + ": the exhibit " + problem);
        }
    }
}
