package dev.heddle.museum;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The bug museum: each exhibit is a bug that somebody had, built into our own code on purpose. A
/// test must catch it; one that nobody catches says that a test is missing.
///
/// One argument:
///
/// - `texts`: only whether every exhibit still fits the code, which takes no time;
/// - `all`: every exhibit, after the same tests have passed without any;
/// - the name of an exhibit: that one.
///
/// Ends with 1 if a bug escapes, with a line for each. What the tests print is in
/// `target/museum/NAME/output.txt`.
///
/// **Thread:** owner (main).
public final class Museum {
    private static final long RUN_SECONDS_MAX = 60;
    private static final long FIRST_RUN_SECONDS_MAX = 240;

    private final Path core;
    private final Path work;
    private final String classPath = System.getProperty("java.class.path");
    private final Mutant mutant;
    private final List<String> flags;
    private final List<String> escapes = new ArrayList<>();

    /// @param core the folder of the module
    private Museum(Path core, List<String> flags) {
        this.core = core;
        work = core.resolve("target/museum");
        mutant = new Mutant(core.resolve("src/main/java"), classPath);
        this.flags = flags;
    }

    /// @param args what to do, the folder of the module, then the JVM flags of the tests
    public static void main(String[] args) throws IOException, InterruptedException {
        var core = Path.of(args[1]);
        var museum = new Museum(core, List.of(args).subList(2, args.length));
        var exhibits = Exhibit.readAll(core.resolve("src/museum/exhibits"));
        switch (args[0]) {
            case "texts" -> museum.checkTexts(exhibits);
            case "all" -> museum.open(exhibits);
            default -> museum.open(named(exhibits, args[0]));
        }
        museum.escapes.forEach(line -> System.out.println("museum: ESCAPED  " + line));
        // The other way out would wait for threads of nobody.
        System.exit(museum.escapes.isEmpty() ? 0 : 1);
    }

    private static List<Exhibit> named(List<Exhibit> all, String name) {
        var found = all.stream().filter(each -> each.name().equals(name)).toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException(
                    "no exhibit \""
                            + name
                            + "\"; there are "
                            + all.stream().map(Exhibit::name).toList());
        }
        return found;
    }

    private void checkTexts(List<Exhibit> exhibits) throws IOException {
        String page = Files.readString(core.resolve("../docs/museum.md"));
        for (var exhibit : exhibits) {
            if (!page.contains("| `" + exhibit.name() + "` |")) {
                escapes.add(exhibit.name() + ": has no line in docs/museum.md");
            }
            try {
                mutant.text(exhibit);
            } catch (Exhibit.BadExhibit bad) {
                escapes.add(
                        bad.getMessage()
                                + ": adapt core/src/museum/exhibits/"
                                + exhibit.name()
                                + ".txt");
            }
        }
        System.out.println("museum: " + exhibits.size() + " exhibits, their texts are checked");
    }

    private void open(List<Exhibit> exhibits) throws IOException, InterruptedException {
        if (!areTestsGreen(exhibits)) {
            return;
        }
        int width = exhibits.stream().mapToInt(each -> each.name().length()).max().orElse(0);
        for (var exhibit : exhibits) {
            try {
                show(exhibit, width);
            } catch (Exhibit.BadExhibit bad) {
                escapes.add(bad.getMessage());
            }
        }
        System.out.println(
                "museum: "
                        + (exhibits.size() - escapes.size())
                        + " of "
                        + exhibits.size()
                        + " bugs caught");
    }

    // A test that fails anyway catches nothing.
    private boolean areTestsGreen(List<Exhibit> exhibits) throws IOException, InterruptedException {
        var tests = exhibits.stream().flatMap(each -> each.tests().stream()).distinct().toList();
        var verdict = run(fresh("unharmed"), "", tests, FIRST_RUN_SECONDS_MAX);
        if (!verdict.failedTest().isEmpty()) {
            escapes.add(verdict.failedTest() + " fails without any bug: " + verdict.failure());
        } else if (!verdict.hasEnded() || verdict.passed() == 0) {
            escapes.add("the tests do not run without any bug, see target/museum/unharmed");
        } else {
            System.out.printf(
                    "museum: unharmed, %d tests pass, %.1f s%n",
                    verdict.passed(), verdict.seconds());
        }
        return escapes.isEmpty();
    }

    private void show(Exhibit exhibit, int width) throws IOException, InterruptedException {
        var folder = fresh(exhibit.name());
        var classes = Files.createDirectory(folder.resolve("classes"));
        mutant.compile(exhibit, classes);
        var verdict = run(folder, classes + File.pathSeparator, exhibit.tests(), RUN_SECONDS_MAX);
        String escape = verdict.escape(exhibit.mayHang());
        String line = String.format("%-" + width + "s  ", exhibit.name());
        if (escape.isEmpty()) {
            System.out.printf(
                    "%scaught by %s, %.1f s%n", line, verdict.caughtBy(), verdict.seconds());
        } else if (verdict.isImpossibleHere()) {
            System.out.println(line + "SKIPPED: its tests cannot run on this machine");
        } else {
            escapes.add(exhibit.name() + ": " + escape);
        }
    }

    /// @param first what stands before everything else on the class path
    private Verdict run(Path folder, String first, List<String> tests, long secondsMax)
            throws IOException, InterruptedException {
        var report = folder.resolve("report.txt");
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", first + classPath, TestRun.class.getName()));
        command.add(report.toString());
        command.addAll(tests);
        long began = System.currentTimeMillis();
        var process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("output.txt").toFile())
                        .start();
        boolean ended = process.waitFor(secondsMax, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        double seconds = (System.currentTimeMillis() - began) / 1000.0;
        var lines = Files.exists(report) ? Files.readAllLines(report) : List.<String>of();
        return new Verdict(lines, !ended, seconds);
    }

    private Path fresh(String name) throws IOException {
        var folder = work.resolve(name);
        if (Files.exists(folder)) {
            try (Stream<Path> old = Files.walk(folder)) {
                for (var each : old.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
        return Files.createDirectories(folder);
    }
}
