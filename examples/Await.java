import static dev.heddle.Heddle.*;

import dev.heddle.Coroutine;
import dev.heddle.Heddle;
import dev.heddle.Outcome.Cancelled;
import dev.heddle.Outcome.Failure;
import dev.heddle.Outcome.Success;

/// Ways to wait: for one, for all, for the fastest, for the first that succeeds, for all whatever
/// becomes of them; and what a failure looks like to the one who waits.
void main() {
    Heddle.run(this::several);
    Heddle.run(this::failures);
}

void several() {
    // All three take 60 ms together, not 120.
    IO.println("all:           " + awaitAll(fetch("a", 20), fetch("b", 40), fetch("c", 60)));

    var tortoise = fetch("tortoise", 30_000);
    IO.println("fastest:       " + awaitAny(tortoise, fetch("hare", 20)));
    tortoise.cancel(); // who loses goes on, unless it is told not to

    IO.println("first success: " + awaitFirstSuccess(broken(), fetch("fine", 20)));

    var results = awaitSettled(List.of(fetch("one", 40), broken(), fetch("three", 20)));
    IO.println("settled:       " + results.values() + ", failed: " + results.errors().keySet());

    var each = mapEach(List.of(3, 1, 2), 2, number -> slowSquare(number));
    IO.println("each, by two:  " + each);
}

void failures() {
    var lost = broken();
    try {
        await(lost);
    } catch (CompletionException e) { // a checked exception comes as the cause of this one
        IO.println("wrapped:       " + e.getCause().getMessage());
    }
    try {
        await(lost, IOException.class); // again the same exception, this time as itself
    } catch (IOException e) {
        IO.println("as itself:     " + e.getMessage());
    }
    for (var task : List.of(fetch("x", 10), lost)) {
        IO.println("as a value:    " + describe(task));
    }
}

String describe(Coroutine<String> task) {
    return switch (task.awaitOutcome()) {
        case Success(var value) -> "got " + value;
        case Failure(var error) -> "failed: " + error.getMessage();
        case Cancelled(var cancellation) -> "cancelled: " + cancellation.getMessage();
    };
}

Coroutine<String> fetch(String what, int millis) {
    return spawn(
            () -> {
                delay(Duration.ofMillis(millis));
                return what;
            });
}

Coroutine<String> broken() {
    return spawn(
            () -> {
                throw new IOException("no route to host");
            });
}

int slowSquare(int number) {
    delay(Duration.ofMillis(10));
    return number * number;
}
