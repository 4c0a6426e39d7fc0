import static dev.heddle.Heddle.*;

import dev.heddle.Heddle;
import dev.heddle.Scope;

/// A scope holds coroutines together: it ends when all of them have, and one that fails ends the
/// rest.
void main() {
    Heddle.run(this::together);
    Heddle.run(this::oneFails);
    Heddle.run(this::stopEarly);
}

void together() {
    int total =
            Scope.call(
                    scope -> {
                        var left = scope.spawn(() -> count("left", 20));
                        var right = scope.spawn(() -> count("right", 40));
                        scope.spawn(() -> count("nobody awaits this one", 60));
                        return await(left) + await(right);
                    });
    IO.println("all three ended, and two of them say " + total);
}

void oneFails() {
    try {
        Scope.run(
                scope -> {
                    scope.spawn(() -> count("sibling", 30_000));
                    scope.spawn(() -> fail("disk full", 20));
                });
    } catch (IllegalStateException e) {
        IO.println("the scope threw: " + e.getMessage());
    }
}

void stopEarly() {
    Scope.run(
            scope -> {
                for (int i = 1; i <= 3; i++) {
                    int number = i;
                    scope.spawn(() -> count("server " + number, 30_000));
                }
                delay(Duration.ofMillis(20));
                IO.println("stopping " + scope.active());
                scope.cancel("closing time");
            });
    IO.println("the scope has ended, and nothing is left");
}

int count(String what, int millis) {
    try {
        delay(Duration.ofMillis(millis));
        IO.println("  " + what + " is done");
        return millis;
    } finally {
        // Runs in every case: it could also await or delay here, for about a second.
        IO.println("  " + what + " cleans up");
    }
}

int fail(String message, int millis) {
    delay(Duration.ofMillis(millis));
    throw new IllegalStateException(message);
}
