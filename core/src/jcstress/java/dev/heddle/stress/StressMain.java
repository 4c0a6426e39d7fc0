package dev.heddle.stress;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import org.openjdk.jcstress.JCStress;
import org.openjdk.jcstress.Options;
import org.openjdk.jcstress.infra.collectors.DiskReadCollector;
import org.openjdk.jcstress.infra.collectors.InProcessCollector;
import org.openjdk.jcstress.infra.collectors.TestResult;
import org.openjdk.jcstress.infra.grading.ReportUtils;
import org.openjdk.jcstress.infra.runners.TestList;
import org.openjdk.jcstress.vm.VMSupport;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Runs the stress tests: the right ones must show no forbidden outcome, and each of the broken
/// ones (whose class is called `Broken…`) must show one, or the tests prove nothing.
///
/// One argument: `quick`, for every build; `deep`, in every combination of compilers and flags that
/// JCStress knows, 14 JVMs for a test; or `full`, which is that for longer. One line per test; what
/// JCStress itself says is in `stress.log`, and its report in `report/`, in the working folder.
/// Ends with 1 if anything is not as it must be.
///
/// Gate: MC-05.
///
/// **Thread:** owner (main).
public final class StressMain {
    private static final String BROKEN = "Broken";
    private static final Path LOG = Path.of("stress.log");

    // One JVM per test, in the mode that users have.
    private static final String QUICK = "-sc false -jvmArgs -Xmx256m -time 250 -iters 2";

    // One per compiler of each actor, and per set of flags that makes the compilers reorder more.
    // A JVM takes two seconds, of which the test has half a one: 21 tests take ten minutes.
    private static final String DEEP = "-sc true -fsm 1 -time 250 -iters 2";

    // Six seconds and more for each of those JVMs, and three times as many with those flags.
    private static final String FULL = "-sc true -fsm 3 -time 1000 -iters 5";

    // No binding to processors, which another library would be needed for; no heap touched in
    // advance, which takes longer than the test.
    private static final String ALWAYS = "-r report -af NONE -pth false";

    // A race that is there need not show: on a busy machine two threads may hardly meet. So a
    // broken test may try again. A right one never does.
    private static final int BROKEN_TRIES_MAX = 5;

    private final PrintStream out = System.out;
    private final String depth;
    private int failures;

    private StressMain(String depth) {
        this.depth = depth;
    }

    public static void main(String[] args) throws Exception {
        var depth =
                switch (String.join(" ", args)) {
                    case "quick" -> QUICK;
                    case "deep" -> DEEP;
                    case "full" -> FULL;
                    default ->
                            throw new IllegalArgumentException(
                                    "one argument, quick, deep or full, but got "
                                            + Arrays.asList(args));
                };
        if (Runtime.getRuntime().availableProcessors() < 2) {
            System.out.println("stress: SKIPPED, two threads cannot race on one processor");
            return;
        }
        Files.deleteIfExists(LOG);
        var main = new StressMain(depth);
        main.runRight();
        main.runBroken();
        main.out.println(main.failures == 0 ? "stress: all as it must be" : "stress: FAILED");
        // JCStress leaves threads behind that would keep the process.
        System.exit(main.failures == 0 ? 0 : 1);
    }

    private void runRight() throws Exception {
        var names = tests(false);
        for (var result : run(names, depth)) {
            names.remove(result.getName());
            var verdict = Verdict.of(result);
            say(verdict.isClean(), verdict.line("never wrong"));
        }
        names.forEach(name -> say(false, name + ": did not run, see " + LOG.toAbsolutePath()));
    }

    private void runBroken() throws Exception {
        var left = tests(true);
        for (int round = 0; round < BROKEN_TRIES_MAX && !left.isEmpty(); round++) {
            // Quickly: to show once is enough.
            for (var result : run(left, QUICK)) {
                var verdict = Verdict.of(result);
                if (verdict.isCaught()) {
                    left.remove(result.getName());
                    say(true, verdict.line("caught"));
                }
            }
        }
        left.forEach(name -> say(false, name + ": broken on purpose, and nothing showed"));
    }

    private void say(boolean good, String line) {
        failures += good ? 0 : 1;
        out.println((good ? "ok      " : "FAILED  ") + line);
    }

    private static Set<String> tests(boolean broken) {
        return TestList.tests().stream()
                .filter(name -> isBroken(name) == broken)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isBroken(String name) {
        return name.substring(name.lastIndexOf('.') + 1).startsWith(BROKEN);
    }

    private List<TestResult> run(Collection<String> names, String settings) throws Exception {
        var filter = names.stream().map(Pattern::quote).collect(Collectors.joining("|"));
        var arguments = new ArrayList<>(List.of((settings + " " + ALWAYS).split(" ")));
        arguments.addAll(List.of("-t", "^(" + filter + ")$"));
        var options = new Options(arguments.toArray(String[]::new));
        // JCStress keeps the JVM flags of its last run, and would run everything with those too.
        VMSupport.getAvailableVMConfigs().clear();
        try (var log = new PrintStream(Files.newOutputStream(LOG, CREATE, APPEND))) {
            System.setOut(log);
            if (!options.parse()) {
                throw new IllegalStateException("JCStress does not take " + arguments);
            }
            new JCStress(options).run();
        } catch (AssertionError _) {
            // Thrown after all has been run and written down, for outcomes that are judged below.
        } finally {
            System.setOut(out);
        }
        return ReportUtils.mergedByName(read(Path.of(options.getResultFile())));
    }

    private static Collection<TestResult> read(Path file)
            throws IOException, ClassNotFoundException {
        var collector = new InProcessCollector();
        var reader = new DiskReadCollector(file.toString(), collector);
        try {
            reader.dump();
        } finally {
            reader.close();
        }
        Files.delete(file);
        return collector.getTestResults();
    }
}
