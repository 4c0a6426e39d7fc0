import static dev.heddle.Heddle.*;

import dev.heddle.Heddle;
import dev.heddle.Report;
import dev.heddle.Scope;
import dev.heddle.Token;

// Zombies are logged, with their stack, when they become one. Here the reports are collected
// instead.
final Queue<Report> reports = new ConcurrentLinkedQueue<>();

/// Somebody else's code must not be cancelled half way: a safe scope leaves it running as a zombie,
/// which nobody waits for. Three ways to end a scope, from the mildest to the strictest.
void main() {
    var heddle = Heddle.with().onReport(reports::add);
    heddle.run(this::leaveThemRunning);
    heddle.run(this::giveThemTime);
    heddle.run(this::cancelThem);
    heddle.run(this::theProgramEnds);

    long count = reports.stream().filter(report -> report.kind() == Report.Kind.ZOMBIE).count();
    IO.println(count + " reports of zombies");
}

void leaveThemRunning() {
    var scope = new Scope().named("request");
    scope.spawn("mailer", () -> mail("the receipt", 40));
    suspend();

    scope.disposeSafely();
    IO.println("after disposeSafely: " + counts(scope));
    scope.awaitAfterCancellation((error, source) -> IO.println("  error of a zombie: " + error));
    IO.println("after the last one:  " + counts(scope));
}

void giveThemTime() {
    // The usual form: at the end of the block nobody waits, and whoever is not done some time later
    // is cancelled.
    var scope = new Scope().named("request").closeAfter(Duration.ofMillis(50));
    try (scope) {
        scope.spawn("quick", () -> mail("a short letter", 0));
        scope.spawn("slow", () -> mail("a long letter", 30_000));
        suspend();
    }
    IO.println("after close:         " + counts(scope));
    scope.awaitAfterCancellation((error, source) -> IO.println("  error of a zombie: " + error));
}

void cancelThem() {
    var scope = new Scope().asNotSafely();
    scope.spawn("mailer", () -> mail("an urgent letter", 30_000));
    suspend();

    scope.dispose();
    scope.awaitCompletion(Token.after(Duration.ofSeconds(30)));
    IO.println("after dispose:       " + counts(scope));
}

void theProgramEnds() {
    var scope = new Scope();
    scope.spawn("mailer", () -> mail("the last letter", 30_000));
    suspend();
    scope.disposeSafely();
    IO.println("the program ends; a zombie does not hold it up");
}

String counts(Scope scope) {
    return "active " + scope.active() + ", zombies " + scope.zombies();
}

void mail(String what, int millis) {
    boolean sent = false;
    try {
        delay(Duration.ofMillis(millis));
        sent = true;
    } finally {
        IO.println("  " + what + (sent ? " was sent" : " was torn up"));
    }
}
