import static dev.heddle.Heddle.*;

import dev.heddle.Deferred;
import dev.heddle.Heddle;
import dev.heddle.OperationCancelledException;
import dev.heddle.Promise;
import dev.heddle.Token;

static final Duration SHORT = Duration.ofMillis(30);
static final Duration LONG = Duration.ofSeconds(30);

/// Two kinds of time limit: a token ends the wait and leaves the work alone; `within` ends the
/// work.
void main() {
    Heddle.run(this::endTheWait);
    Heddle.run(this::endTheWork);
    Heddle.run(this::nestedLimits);
}

void endTheWait() {
    var paper = new Promise<String>();
    var report = spawn(() -> print("report", paper.deferred()));
    try {
        await(report, SHORT);
    } catch (OperationCancelledException e) {
        IO.println("the wait ended, timed out: " + e.timedOut());
    }

    var userLeft = spawn(() -> delay(SHORT));
    try {
        await(report, Token.when(userLeft).or(Token.after(LONG)));
    } catch (OperationCancelledException e) {
        IO.println("the user left, timed out: " + e.timedOut());
    }

    paper.complete("paper");
    IO.println("all the while the work went on: " + await(report));
}

void endTheWork() {
    try {
        within(SHORT, () -> work("big report", LONG));
    } catch (OperationCancelledException e) {
        IO.println("the work was cancelled");
    }
    IO.println("in time: " + within(LONG, () -> work("small report", Duration.ofMillis(10))));
}

void nestedLimits() {
    try {
        within(SHORT, () -> within(LONG, () -> work("inner work", LONG)));
    } catch (OperationCancelledException e) {
        IO.println("of two limits, the earlier counts");
    }
}

String print(String what, Deferred<String> paper) {
    return what + " on " + await(paper);
}

String work(String what, Duration time) {
    try {
        delay(time);
        IO.println("  " + what + " is done");
        return what;
    } finally {
        IO.println("  " + what + " puts its tools away");
    }
}
