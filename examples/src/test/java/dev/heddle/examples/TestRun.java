package dev.heddle.examples;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;

import java.util.List;
import java.util.regex.Pattern;

/// What came of a test class, which JUnit ran here as it would for a user.
///
/// @param passed how many tests did
/// @param failures what the others threw
/// @param err what was written to `System.err` meanwhile
record TestRun(long passed, List<Throwable> failures, String err) {
    private static final String ANYTHING = "…";

    // Seeds, hashes and how often was tried change with every step that the engine takes more, and
    // a page need not change with them.
    private static final Pattern NUMBERS =
            Pattern.compile("(?<=seed |seed = |seed=|seed\\(|try |after |in )[0-9]+|[0-9a-f]{16}");
    private static final Pattern SPACE = Pattern.compile("\\s+");

    static TestRun of(Class<?> tests) {
        try (var streams = new Streams()) {
            var results =
                    EngineTestKit.engine("junit-jupiter").selectors(selectClass(tests)).execute();
            var events = results.testEvents();
            if (results.containerEvents().failed().count() > 0 || events.started().count() == 0) {
                throw new AssertionError(
                        "no test of " + tests + " ran: " + thrown(results.containerEvents()));
            }
            return new TestRun(events.succeeded().count(), thrown(events), streams.err());
        }
    }

    private static List<Throwable> thrown(Events events) {
        return events.failed().stream()
                .flatMap(event -> event.getPayload(TestExecutionResult.class).stream())
                .flatMap(result -> result.getThrowable().stream())
                .toList();
    }

    /// {@return what a user sees of the failure: what was thrown, and what the kit says about it}
    String text() {
        var text = new StringBuilder();
        failures.forEach(each -> text.append(each).append('\n'));
        return text.append(err).toString();
    }

    /// {@return whether it looks as a page shows it} A page may break lines, and write … for what
    /// it leaves out; its seeds and hashes are examples.
    boolean isAsShown(String shown) {
        var regex = new StringBuilder();
        for (String part : plain(shown).split(ANYTHING, -1)) {
            regex.append(regex.isEmpty() ? "" : ".*").append(Pattern.quote(part));
        }
        return Pattern.matches(regex.toString(), plain(text()));
    }

    private static String plain(String text) {
        String numbers = NUMBERS.matcher(text).replaceAll("N");
        return SPACE.matcher(numbers).replaceAll(" ").strip();
    }
}
