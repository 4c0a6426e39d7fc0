package dev.heddle.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.Scope;
import dev.heddle.VoidOp;
import dev.heddle.test.CancelTorture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/// One small program over the public operations: what it does, what comes out if nobody interferes,
/// and what holds whoever of it is cancelled wherever.
///
/// `run` writes down what it finds; it asserts nothing itself, since what it finds is another thing
/// when a part of it was cancelled.
///
/// **Thread:** loop; the checks on the thread of the test. One object for each run.
abstract class Story implements CancelTorture.Victim {
    /// What the program wrote down, in order.
    final List<String> trail = new ArrayList<>();

    private final Map<Rare, Integer> seen = new EnumMap<>(Rare.class);
    private final List<Scope> scopes = new ArrayList<>();
    private int entered;
    private int left;

    /// Checks what came out of a run in which nobody interfered.
    abstract void expect() throws Throwable;

    /// {@return what the program throws when nobody interferes; [Void] for nothing}
    Class<?> endsBy() {
        return Void.class;
    }

    /// What was begun by [#busy] was cleaned up. A story that promises more checks more.
    @Override
    public void verify() throws Throwable {
        assertEquals(entered, left, "begun and cleaned up");
        for (var scope : scopes) {
            assertEquals(0, scope.active() + scope.zombies(), "left in " + scope);
        }
    }

    /// {@return a scope that must be empty when the program has ended}
    final Scope newScope() {
        var scope = new Scope();
        scopes.add(scope);
        return scope;
    }

    /// A piece of work that must clean up after itself, however it ends.
    final <X extends Exception> void busy(VoidOp<X> body) throws X {
        entered++;
        try {
            body.run();
        } finally {
            left++;
        }
    }

    final int begun() {
        return entered;
    }

    final void say(String line) {
        trail.add(line);
    }

    final void saw(Rare rare) {
        seen.merge(rare, 1, Integer::sum);
    }

    final Map<Rare, Integer> seen() {
        return seen;
    }

    static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    /// A failure that a story causes on purpose.
    static final class Planned extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Planned(String message) {
            super(message);
        }
    }

    /// The same, as one that must be declared.
    static final class PlannedChecked extends Exception {
        private static final long serialVersionUID = 1L;

        PlannedChecked(String message) {
            super(message);
        }
    }
}
