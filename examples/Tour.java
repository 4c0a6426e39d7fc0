import static dev.heddle.Heddle.*;

import dev.heddle.Action;
import dev.heddle.ContextKey;
import dev.heddle.Coroutine;
import dev.heddle.DeadlockError;
import dev.heddle.Heddle;
import dev.heddle.OperationCancelledException;
import dev.heddle.Promise;
import dev.heddle.Report;
import dev.heddle.Scope;
import dev.heddle.Token;

static final ContextKey<String> USER = ContextKey.named("user");

final Queue<Report> reports = new ConcurrentLinkedQueue<>();
Coroutine<String> chicken;
Coroutine<String> egg;

/// Everything so far, in about two seconds: start with main, each stop of the tour is a method.
void main() throws Exception {
    Heddle.with()
            .cleanUpWindow(Duration.ofSeconds(10)) // one second, if nothing is said
            .onReport(reports::add) // to the log, if nothing is said
            .run(this::tour);
}

void tour() throws Exception {
    stop("1. Spawn and await", this::spawnAndAwait);
    stop("2. Wait for several", this::several);
    stop("3. Time limits", this::limits);
    stop("4. A scope with a child that fails", this::failingChild);
    stop("5. Clean-up after a cancellation", this::cleanUp);
    stop("6. Zombies", this::zombies);
    stop("7. Many items, three at a time", this::items);
    stop("8. Work for other threads", this::otherThreads);
    stop("9. Context", this::context);
    stop("10. A deadlock, caught", this::deadlock);
    stop("11. Seeing inside", this::inside);
}

void stop(String title, Action body) throws Exception {
    IO.println(title);
    body.run();
}

void spawnAndAwait() {
    var answer = spawn(() -> slowly("42", 50));
    say("spawned, and not yet started");
    suspend();
    say("it waits now, and we could do something else");
    say("the answer is " + await(answer));
}

void several() {
    say("all:     " + awaitAll(later("a", 60), later("b", 30)));
    var tortoise = later("tortoise", 30_000);
    say("fastest: " + awaitAny(tortoise, later("hare", 30)));
    tortoise.cancel();
    var results = awaitSettled(List.of(later("fine", 30), failing("broken")));
    say("settled: " + results.values() + " and " + results.errors().get(1).getMessage());
}

void limits() {
    var paper = new Promise<String>();
    var report = spawn(() -> "a report on " + await(paper.deferred()));
    try {
        await(report, Token.after(millis(40)));
    } catch (OperationCancelledException e) {
        say("a token ends the wait");
    }
    paper.complete("paper");
    say("and leaves the work alone: " + await(report));
    try {
        within(millis(40), () -> slowly("never seen", 30_000));
    } catch (OperationCancelledException e) {
        say("within ends the work");
    }
}

void failingChild() {
    try {
        Scope.run(
                scope -> {
                    scope.spawn("patient", () -> slowly("never seen", 30_000));
                    scope.spawn("hasty", () -> failing("out of paper").await());
                });
    } catch (IllegalStateException e) {
        say("the scope cancelled the other one, and threw: " + e.getMessage());
    }
}

void cleanUp() {
    var server = spawn("server", this::serve);
    suspend();
    var outcome = server.cancelAndAwait("closing time");
    say("it ended: " + outcome.getClass().getSimpleName());
}

void serve() {
    try {
        delay(Duration.ofHours(1));
    } finally {
        delay(millis(30)); // clean-up may wait as usual: here, to say goodbye to a client
        say("goodbye was said");
        protect(() -> slowly("the last page", 30)); // this could not even be cancelled
        say("the last page was written");
    }
}

void zombies() {
    var scope = new Scope().named("request");
    scope.spawn("mailer", () -> say(slowly("the mail was sent after all", 60)));
    suspend();
    scope.disposeSafely();
    say(scope.active() + " active, " + scope.zombies() + " zombie; the request is over");
    scope.awaitAfterCancellation((error, _) -> say("not reached: " + error));
}

void items() {
    var squares = mapEach(List.of(1, 2, 3, 4, 5, 6), 3, number -> square(number));
    say("squares: " + squares);
}

void otherThreads() {
    say("a worker computes: " + offload(() -> BigInteger.TWO.pow(64).toString()));

    var promise = Promise.<String>external();
    Thread.ofPlatform().start(() -> promise.complete("a letter from another thread"));
    say("a promise brings:  " + await(promise.deferred()));
}

void context() {
    Scope.run(
            scope -> {
                scope.set(USER, "ann");
                scope.spawn(() -> say("whoever is in the scope finds " + USER.get()));
            });
}

void deadlock() {
    chicken = spawn("chicken", () -> await(egg));
    egg = spawn("egg", () -> await(chicken));
    try {
        await(chicken);
    } catch (DeadlockError e) {
        say(e.members().size() + " coroutines wait for each other, and were told so");
    }
}

void inside() {
    var sleeper = spawn("sleeper", () -> slowly("never seen", 30_000));
    suspend();
    for (var coroutine : Heddle.snapshot().coroutines()) {
        say(coroutine.name() + " waits for " + coroutine.awaiting());
    }
    sleeper.cancel();
    reports.stream()
            .filter(report -> report.kind() == Report.Kind.ZOMBIE)
            .forEach(report -> say("reported: " + report.kind()));
}

Coroutine<String> later(String what, int millis) {
    return spawn(() -> slowly(what, millis));
}

Coroutine<String> failing(String message) {
    return spawn(
            () -> {
                throw new IllegalStateException(message);
            });
}

String slowly(String what, int millis) {
    delay(millis(millis));
    return what;
}

int square(int number) {
    delay(millis(50));
    return number * number;
}

Duration millis(int count) {
    return Duration.ofMillis(count);
}

void say(String text) {
    IO.println("   " + text);
}
