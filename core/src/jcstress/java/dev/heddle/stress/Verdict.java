package dev.heddle.stress;

import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.infra.Status;
import org.openjdk.jcstress.infra.collectors.TestResult;

import java.util.Map;
import java.util.TreeMap;

/// What one test showed, in all the JVMs that it ran in.
///
/// **Thread:** immutable.
///
/// @param forbidden how often each forbidden outcome was seen
record Verdict(String name, Status status, long runs, Map<String, Long> forbidden, String message) {
    static Verdict of(TestResult result) {
        var forbidden = new TreeMap<String, Long>();
        for (var outcome : result.grading().gradingResults.values()) {
            if (outcome.expect == Expect.FORBIDDEN && outcome.count > 0) {
                forbidden.put(outcome.id, outcome.count);
            }
        }
        return new Verdict(
                shortName(result.getName()),
                result.status(),
                result.getTotalCount(),
                forbidden,
                String.join("; ", result.getMessages()));
    }

    /// {@return whether it ran, and nothing forbidden was seen}
    boolean isClean() {
        return status == Status.NORMAL && runs > 0 && forbidden.isEmpty();
    }

    /// {@return whether it ran, and something forbidden was seen}
    boolean isCaught() {
        return status == Status.NORMAL && !forbidden.isEmpty();
    }

    String line(String praise) {
        var text = new StringBuilder(String.format("%-32s", name));
        text.append(String.format(" %,13d runs, ", runs));
        if (status != Status.NORMAL) {
            return text.append(status).append(": ").append(message).toString();
        }
        return text.append(forbidden.isEmpty() ? praise : "forbidden: " + forbidden).toString();
    }

    private static String shortName(String name) {
        return name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1);
    }
}
