package dev.heddle.museum;

import java.util.List;
import java.util.function.Predicate;

/// What a run of tests in another JVM showed.
///
/// **Thread:** immutable.
///
/// @param lines what the other JVM wrote
/// @param hung whether it had to be stopped
record Verdict(List<String> lines, boolean hung, double seconds) {
    /// {@return the first test that failed; empty if none did}
    String failedTest() {
        return first(TestRun.FAILED, 1);
    }

    String failure() {
        return first(TestRun.FAILED, 2);
    }

    long passed() {
        return lines.stream().filter(isOf(TestRun.PASSED)).count();
    }

    /// {@return whether this machine cannot run any of the tests: a kernel without io_uring, say}
    boolean isImpossibleHere() {
        return hasEnded() && passed() == 0 && lines.stream().anyMatch(isOf(TestRun.ABORTED));
    }

    boolean hasEnded() {
        return lines.contains(TestRun.END);
    }

    /// {@return why the bug was not caught, in words; empty if it was}
    String escape(boolean mayHang) {
        if (failure().startsWith("LinkageError")) {
            return "the classes do not fit together: " + failure();
        }
        if (!failedTest().isEmpty()) {
            return "";
        }
        if (hung) {
            return mayHang ? "" : "the tests did not end, and no test noticed";
        }
        if (!hasEnded()) {
            return "the JVM of the tests died";
        }
        return passed() == 0 ? "no test ran" : "all " + passed() + " tests passed";
    }

    String caughtBy() {
        return failedTest().isEmpty() ? "(hangs, as expected)" : failedTest();
    }

    private static Predicate<String> isOf(String kind) {
        return line -> line.startsWith(kind + "\t");
    }

    private String first(String kind, int part) {
        return lines.stream()
                .filter(isOf(kind))
                .map(line -> line.split("\t", -1)[part])
                .findFirst()
                .orElse("");
    }
}
