import static dev.heddle.Heddle.*;

import dev.heddle.Coroutine;
import dev.heddle.DeadlockError;
import dev.heddle.Heddle;
import dev.heddle.Promise;

Coroutine<String> left;
Coroutine<String> right;

/// Coroutines that wait for each other are told so at once, by name; a program in which nothing can
/// happen any more ends with a report instead of hanging.
void main() {
    Heddle.run(this::circle);
    try {
        // Left to itself, it would log a report as well.
        Heddle.with().onReport(_ -> {}).run(this::nobodyComes);
    } catch (DeadlockError e) {
        IO.println("run threw, since nothing could wake:");
        e.members().forEach(line -> IO.println("  " + line));
    }
}

void circle() {
    left = spawn("left", () -> waitFor(right));
    right = spawn("right", () -> waitFor(left));
    IO.println("left was told: " + await(left));
    IO.println("right was told the same: " + await(right).equals(await(left)));
}

String waitFor(Coroutine<String> other) {
    try {
        return await(other);
    } catch (DeadlockError e) {
        return e.getMessage(); // whoever catches it can go on
    }
}

void nobodyComes() {
    await(new Promise<String>().deferred());
}
