package dev.heddle;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Rules about source text that no compiler checks. Each says what to write instead.
///
/// A rule comes here the second time that a review asks for the same thing.
final class Tidy {
    static final int LINES_MAX = 500;

    // What excuses a long file, in a comment near its top, with the reason behind it.
    private static final String EXCUSE = "Over " + LINES_MAX + " lines";
    private static final int TOP_LINES = 60;

    private static final Pattern TYPE =
            Pattern.compile(
                    "(public |final |sealed |non-sealed |abstract )*"
                            + "(class|interface|record|enum|@interface) .*");
    // A catch with nothing in it but comments, if any.
    private static final Pattern EMPTY_CATCH =
            Pattern.compile(
                    "catch\\s*\\([^)]*\\)\\s*\\{((?:\\s|//[^\\n]*\\n|/\\*.*?\\*/)*)}",
                    Pattern.DOTALL);
    private static final Pattern WORD = Pattern.compile("\\p{L}+");
    private static final int REASON_WORDS_MIN = 4;

    private static final Predicate<String> MAIN = path -> path.startsWith("core/src/main/");
    private static final Predicate<String> TEST = path -> path.contains("/src/test/");
    private static final Predicate<String> RACES = path -> path.contains("/src/jcstress/");
    private static final Predicate<String> BENCH = path -> path.startsWith("bench/");
    private static final Predicate<String> ALL = _ -> true;

    /// @param inComments whether the pattern is looked for in comments too
    private record Rule(
            Pattern pattern, boolean inComments, Predicate<String> where, String instead) {}

    private static final List<Rule> RULES =
            List.of(
                    code(
                            "System\\.nanoTime\\(",
                            TEST.or(RACES).or(BENCH).negate().and(unless("SystemClock.java")),
                            "take a dev.heddle.loop.Clock, so that a test can set the time"),
                    code(
                            "\\b(Thread|TimeUnit\\.\\w+)\\.sleep\\(",
                            TEST.or(MAIN).and(unless("JdkBlockingTest.java")),
                            "wait for the event itself: a latch, a Bystander, the simulated clock"),
                    code(
                            "@Disabled",
                            ALL,
                            "make the test pass or delete it; assume what a machine may lack"),
                    code(
                            "\\bsynchronized\\b",
                            path -> path.startsWith("core/src/main/java/dev/heddle/reactor/"),
                            "a loop thread never waits for a lock: use one atomic word, like Bell"),
                    code(
                            "@SuppressWarnings\\(\"restricted\"\\)",
                            MAIN.and(unless("dev/heddle/sys/Native.java")),
                            "restricted calls are made in one place: add a method to Native"),
                    new Rule(
                            Pattern.compile("\\b(FIXME|TODO|XXX)\\b"),
                            true,
                            ALL,
                            "do it now, or name it as a weak spot in the doc comment"));

    private Tidy() {}

    /// {@return what is wrong with a file, a line each}
    ///
    /// @param path from the root of the project, with slashes
    static List<String> check(String path, String text) {
        var findings = new ArrayList<String>();
        var lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            for (var rule : RULES) {
                if (breaks(rule, path, lines.get(i))) {
                    findings.add(path + ":" + (i + 1) + ": " + rule.instead());
                }
            }
        }
        checkThreadLine(path, lines, findings);
        checkLength(path, lines, findings);
        checkCatches(path, text, findings);
        return findings;
    }

    private static boolean breaks(Rule rule, String path, String line) {
        String start = line.strip();
        boolean comment = start.startsWith("//") || start.startsWith("*") || start.startsWith("/*");
        return rule.where().test(path)
                && (rule.inComments() || !comment)
                && rule.pattern().matcher(line).find();
    }

    private static void checkThreadLine(String path, List<String> lines, List<String> findings) {
        boolean told = false;
        for (int i = 0; MAIN.test(path) && i < lines.size(); i++) {
            told |= lines.get(i).startsWith("/// **Thread:**");
            if (TYPE.matcher(lines.get(i)).matches()) {
                if (!told) {
                    findings.add(
                            path
                                    + ":"
                                    + (i + 1)
                                    + ": say in the doc comment who may call it:"
                                    + " `/// **Thread:** immutable`, `any`, `loop` or `owner`");
                }
                return;
            }
        }
    }

    private static void checkLength(String path, List<String> lines, List<String> findings) {
        boolean excused = lines.stream().limit(TOP_LINES).anyMatch(line -> line.contains(EXCUSE));
        if (lines.size() > LINES_MAX && !excused) {
            findings.add(
                    path
                            + ":1: "
                            + lines.size()
                            + " lines: split it, one idea each, or say why"
                            + " not near the top: `// "
                            + EXCUSE
                            + " because …`");
        }
    }

    private static void checkCatches(String path, String text, List<String> findings) {
        var matcher = EMPTY_CATCH.matcher(text);
        while (matcher.find()) {
            if (WORD.matcher(matcher.group(1)).results().count() < REASON_WORDS_MIN) {
                long line = text.substring(0, matcher.start()).lines().count();
                findings.add(
                        path
                                + ":"
                                + Math.max(1, line)
                                + ": an exception is caught and dropped:"
                                + " handle it, rethrow it, add it to the first failure with"
                                + " addSuppressed, or say in a sentence why nothing is to be done");
            }
        }
    }

    private static Rule code(String pattern, Predicate<String> where, String instead) {
        return new Rule(Pattern.compile(pattern), false, where, instead);
    }

    private static Predicate<String> unless(String end) {
        return path -> !path.endsWith(end);
    }
}
