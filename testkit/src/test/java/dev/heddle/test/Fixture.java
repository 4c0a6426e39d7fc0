package dev.heddle.test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/// A test class that another test runs, and what came of it. Such classes are static and nested, so
/// that nobody else picks them up: some are meant to fail.
///
/// **Thread:** owner (the test).
final class Fixture {
    private static final Pattern TRACE = Pattern.compile("trace ([0-9a-f]{16})");
    private static final Pattern LINE = Pattern.compile("replay with (@\\w+\\([^\\n]*?\\))  //");

    private final EngineExecutionResults results;

    private Fixture(EngineExecutionResults results) {
        this.results = results;
    }

    static Fixture run(Class<?> fixture) {
        return new Fixture(
                EngineTestKit.engine("junit-jupiter").selectors(selectClass(fixture)).execute());
    }

    /// {@return the one failure that there must be}
    static Throwable failureOf(Class<?> fixture) {
        return run(fixture).failure();
    }

    static void passes(Class<?> fixture) {
        var run = run(fixture);
        run.failures()
                .forEach(
                        failure -> {
                            throw new AssertionError("the fixture failed", failure);
                        });
        assertEquals(run.started(), run.succeeded());
    }

    Throwable failure() {
        var failures = failures();
        assertEquals(1, failures.size(), () -> "failures: " + failures);
        return failures.getFirst();
    }

    /// {@return why tests, and containers that never came to a test, failed}
    List<Throwable> failures() {
        return results.allEvents().failed().stream()
                .map(event -> event.getRequiredPayload(TestExecutionResult.class))
                .map(result -> result.getThrowable().orElseThrow())
                .toList();
    }

    long started() {
        return results.testEvents().started().count();
    }

    long succeeded() {
        return results.testEvents().succeeded().count();
    }

    List<String> displayNames() {
        return results.testEvents().started().stream()
                .map(Event::getTestDescriptor)
                .map(test -> test.getDisplayName())
                .toList();
    }

    /// {@return the line that a failure tells to paste}
    static String replayOf(Throwable failure) {
        return find(LINE, failure);
    }

    static String traceOf(Throwable failure) {
        return find(TRACE, failure);
    }

    private static String find(Pattern pattern, Throwable failure) {
        return Arrays.stream(failure.getSuppressed())
                .filter(Replay.class::isInstance)
                .map(Throwable::getMessage)
                .map(pattern::matcher)
                .filter(matcher -> matcher.find())
                .map(matcher -> matcher.group(1))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no note how to replay", failure));
    }
}
