package dev.heddle.test;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;

/// A case for which a [Property] does not hold, on its way to a report that a reader understands.
///
/// **Thread:** owner (the property).
final class Counterexample {
    private final Property.Body body;
    private final long[] numbers;
    private final Throwable failure;
    private final FailureKind kind;

    /// The first failure of each other kind that was met on the way: other bugs, perhaps.
    private final Map<FailureKind, Throwable> others = new LinkedHashMap<>();

    Counterexample(Property.Body body, Tape tape, Throwable failure) {
        this.body = body;
        this.numbers = tape.numbers();
        this.failure = failure;
        this.kind = FailureKind.of(failure);
    }

    /// {@return the report on the simplest case that fails as this one does}
    AssertionError report(String headline, int shrinksMax, long seed) {
        if (failure instanceof InterruptedException) {
            // Somebody wants the test to end: the flag lets it, and there is nothing to look for.
            Thread.currentThread().interrupt();
            return new AssertionError(headline + ": interrupted", failure);
        }
        var again = run(numbers);
        if (again == null) {
            String doubt = "but not when it was repeated: it depends on more than its choices";
            return describe(headline + '\n' + doubt, numbers, seed);
        }
        var shrinker = new Shrinker(again, shrinksMax, this::run);
        long[] simplest = shrinker.shrink();
        String how =
                "simplest case, after %d steps in %d attempts:"
                        .formatted(shrinker.steps(), shrinker.attempts());
        return describe(headline + '\n' + how, simplest, seed);
    }

    /// {@return what the case drew if it fails in the same manner, else null}
    private @Nullable Tape run(long[] candidate) {
        var choices = new Choices(Tape.of(candidate), false);
        var thrown = Property.failureOf(body, choices);
        if (thrown == null) {
            return null;
        }
        var thrownKind = FailureKind.of(thrown);
        if (thrownKind.equals(kind)) {
            return choices.tape;
        }
        others.putIfAbsent(thrownKind, thrown);
        return null;
    }

    private AssertionError describe(String head, long[] simplest, long seed) {
        var choices = new Choices(Tape.of(simplest), true);
        var thrown = Property.failureOf(body, choices);
        boolean isSame = thrown != null && FailureKind.of(thrown).equals(kind);
        var cause = isSame ? thrown : failure;
        var text = new StringBuilder(head).append('\n');
        choices.words().forEach(line -> text.append("    ").append(line).append('\n'));
        text.append("because of ").append(cause).append('\n');
        text.append(
                "to repeat it: .seed(%dL), or -D%s=%1$d".formatted(seed, Property.SEED_PROPERTY));
        var report = new AssertionError(text.toString(), cause);
        others.values().forEach(report::addSuppressed);
        return report;
    }
}
