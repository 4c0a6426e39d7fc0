package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.LifeCase.Awaiter;
import dev.heddle.LifeCase.Body;
import dev.heddle.LifeCase.Cancel;
import dev.heddle.LifeCase.Dispose;
import dev.heddle.LifeCase.Form;
import dev.heddle.LifeCase.Home;
import dev.heddle.LifeCase.Where;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/// Lets one coroutine live as the case says, on the engine, and writes down what is seen of it.
///
/// **Thread:** owner (the test).
final class LifeRun {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MILLI = Duration.ofMillis(1);
    private static final Duration LIMIT = Duration.ofMillis(5);

    private final World world = World.virtual();
    private final LifeCase life;

    // What was seen.
    private String outcome = "";
    private String awaiter = "";
    private final List<String> handler = new ArrayList<>();
    private final List<String> errorWentTo = new ArrayList<>();
    private boolean zombie;
    private boolean cancelled;
    private boolean requested;
    private String below = "";

    // What holds the subject where it is to be.
    private boolean free;
    private final CountDownLatch latch = new CountDownLatch(1);
    private Promise<String> gate;
    private Promise<String> leave;
    private Promise<String> childGate;
    private Coroutine<?> victim;
    private Coroutine<?> daemon;
    private Coroutine<Object> subject;
    private Scope home;

    LifeRun(LifeCase life) {
        this.life = life;
    }

    LifeStory story() {
        try {
            world.run(this::inItsHome);
        } catch (Exception | Error thrown) {
            errorWentTo.add(isItsFailure(thrown) ? "program" : "program: " + thrown);
        }
        var reports = world.reports().stream().map(Report::kind).toList();
        return new LifeStory(
                outcome,
                awaiter,
                handler,
                errorWentTo,
                zombie,
                cancelled,
                requested,
                reports,
                below);
    }

    private void inItsHome() throws Exception {
        gate = new Promise<>();
        leave = new Promise<>();
        childGate = new Promise<>();
        var aside = new Scope();
        switch (life.home()) {
            case ROOT -> live(Scope.current(), aside);
            case STRUCTURED -> liveInABlock(aside);
            case SUPERVISED ->
                    Scope.supervise(
                            (error, _) -> wentTo("supervisor", error), block -> live(block, aside));
            case SAFE ->
                    live(new Scope().onException((error, _) -> wentTo("handler", error)), aside);
            case NOT_SAFE -> live(new Scope().asNotSafely(), aside);
            case INHERITED -> {
                var parent = new Scope();
                parent.onChildScopeException((error, _) -> wentTo("parent's handler", error));
                live(Scope.inherit(parent), aside);
                parent.close();
            }
        }
    }

    private void liveInABlock(Scope aside) {
        try {
            Scope.run(block -> live(block, aside));
        } catch (Exception | Error thrown) {
            wentTo("block", thrown);
        }
    }

    private void wentTo(String whom, Throwable error) {
        errorWentTo.add(isItsFailure(error) ? whom : whom + ": " + error);
    }

    private boolean isItsFailure(Throwable thrown) {
        return subject.outcome().orElseThrow() instanceof Outcome.Failure<Object>(var error)
                && (thrown == error || thrown.getCause() == error);
    }

    // Shielded: the story is told to its end, also if the program shuts down over it.
    private void live(Scope scope, Scope aside) throws Exception {
        home = scope;
        protect(
                () -> {
                    prepareVictim(aside);
                    begin(aside);
                    hold();
                    act();
                    free();
                    end(aside);
                });
    }

    private void prepareVictim(Scope aside) {
        if (life.body() == Body.FOREIGN_CANCELLATION) {
            victim = aside.spawn(() -> delay(HOUR));
            victim.cancelAndAwait("foreign");
        }
    }

    private void begin(Scope aside) {
        if (life.awaiter() == Awaiter.BEFORE) {
            aside.spawn(() -> awaiter = inWords(subject.awaitOutcome()));
        } else if (life.awaiter() == Awaiter.LEFT_BY_TOKEN) {
            aside.spawn(this::awaitAndLeave);
        }
        subject = begun();
        if (life.awaiter() == Awaiter.MARKED_OBSERVED) {
            subject.observed();
        } else if (life.awaiter() == Awaiter.HANDLER) {
            subject.onCompletion(end -> handler.add(inWords(end)));
        }
    }

    private Coroutine<Object> begun() {
        return switch (life.form()) {
            case OWNER, BRITTLE_OWNER -> {
                below = "open";
                yield home.spawnCall(this::closed, _ -> body());
            }
            case DAEMON -> begunAsDaemon();
            case PLAIN,
                    HOST,
                    HOST_OF_UNTIDY,
                    SHIELDED_HOST,
                    LIMITED,
                    SPAWNS_IN_CLEAN_UP,
                    HOST_OF_DAEMON ->
                    home.spawn(this::formed);
        };
    }

    @SuppressWarnings("unchecked") // It has no value.
    private Coroutine<Object> begunAsDaemon() {
        return (Coroutine<Object>) (Coroutine<?>) home.spawnDaemon(() -> body());
    }

    private void closed() throws IOException {
        below = below.equals("open") ? "closed" : "closed again";
        if (life.form() == Form.BRITTLE_OWNER) {
            throw new IOException("close");
        }
    }

    private void awaitAndLeave() {
        try {
            subject.await(Token.when(leave.deferred()));
        } catch (OperationCancelledException left) {
            awaiter = "left";
        }
    }

    // Until the subject is where the case wants it.
    private void hold() {
        if (life.where() == Where.QUEUED) {
            return;
        }
        turns();
        if (life.where() == Where.IN_CLEAN_UP) {
            subject.cancel("earlier");
            turns();
        }
        if (life.awaiter() == Awaiter.LEFT_BY_TOKEN) {
            leave.complete("now");
            turns();
        }
        if (life.where() == Where.WOKEN) {
            gate.complete("open");
        }
    }

    private static void turns() {
        for (int i = 0; i < 3; i++) {
            suspend();
        }
    }

    private void act() {
        if (life.where() != Where.RUNNING) {
            actNow();
        }
    }

    private void actNow() {
        if (life.dispose() != Dispose.NOT) {
            home.disposeSafely();
        }
        zombie = subject.isZombie();
        if (life.dispose() == Dispose.SAFELY_THEN_FOR_REAL) {
            home.dispose();
        }
        if (life.cancel() == Cancel.ONCE || life.cancel() == Cancel.TWICE) {
            subject.cancel("first");
        }
        if (life.cancel() == Cancel.TWICE) {
            subject.cancel("second");
        }
    }

    private void free() {
        free = true;
        gate.complete("open");
        latch.countDown();
        turns();
        childGate.complete("open");
    }

    private void end(Scope aside) {
        while (!subject.isFinished()) {
            delay(MILLI);
        }
        delay(MILLI);
        if (life.cancel() == Cancel.AFTER_THE_END) {
            subject.cancel("too late");
        }
        if (life.awaiter() == Awaiter.AFTER) {
            aside.spawn(() -> awaiter = inWords(subject.awaitOutcome())).await();
        }
        cancelled = subject.isCancelled();
        requested = subject.isCancellationRequested();
        if (daemon != null) {
            below = daemon.isCancelled() ? "cancelled" : daemon.info();
        }
        aside.close();
        nothingIsLeft();
        // Without reading it, which would take the report of an unread failure away.
        outcome = inWords(Objects.requireNonNull(subject.peek()));
    }

    private void nothingIsLeft() {
        assertEquals(zombie, subject.isZombie(), "once a zombie, always one");
        assertEquals(List.of(Heddle.current()), Heddle.coroutines());
        if (life.home() == Home.ROOT) {
            assertEquals(1, home.active());
            return;
        }
        assertEquals(0, home.active());
        assertEquals(0, home.zombies());
        if (life.home() != Home.STRUCTURED && life.home() != Home.SUPERVISED) {
            home.close();
            assertTrue(home.isFinished());
        }
    }

    // ---- the subject ----

    private Object formed() throws Exception {
        return switch (life.form()) {
            case HOST, HOST_OF_UNTIDY -> Scope.call(this::withChild);
            case SHIELDED_HOST -> shielded();
            case LIMITED -> limited();
            case HOST_OF_DAEMON -> Scope.call(this::withDaemon);
            case PLAIN, OWNER, BRITTLE_OWNER, SPAWNS_IN_CLEAN_UP, DAEMON -> body();
        };
    }

    private Object withChild(Scope block) throws Exception {
        below = "not done";
        block.spawn(this::child);
        return body();
    }

    private Object withDaemon(Scope block) throws Exception {
        daemon = block.spawnDaemon(() -> delay(HOUR));
        return body();
    }

    private void child() {
        try {
            await(childGate.deferred());
            below = "done";
        } catch (Cancellation cut) {
            if (life.form() == Form.HOST_OF_UNTIDY) {
                throw new IllegalStateException("child");
            }
            throw cut;
        }
    }

    private Object shielded() throws Exception {
        try {
            return protect(() -> Scope.call(this::withChild));
        } catch (Cancellation kept) {
            return react(kept);
        }
    }

    private Object limited() throws Exception {
        try {
            try {
                Heddle.<Exception>within(LIMIT, this::cleansUpForTooLong);
            } catch (OperationCancelledException limit) {
                // Plan B.
                suspend();
            }
        } catch (Cancellation cut) {
            return react(cut);
        }
        return ending();
    }

    private void cleansUpForTooLong() throws InterruptedException {
        try {
            goThere();
        } catch (Cancellation | InterruptedException cut) {
            delay(HOUR);
            throw cut;
        }
    }

    private Object body() throws Exception {
        try {
            goThere();
        } catch (Cancellation | InterruptedException cut) {
            return react(cut);
        }
        return ending();
    }

    private Object ending() throws Exception {
        return switch (life.body()) {
            case VALUE, SWALLOWS, UNTIDY -> "value";
            case UNCHECKED -> throw new IllegalStateException("unchecked");
            case CHECKED -> throw new IOException("checked");
            case ERROR -> throw new AssertionError("error");
            case FOREIGN_CANCELLATION -> await(victim);
        };
    }

    private void goThere() throws InterruptedException {
        switch (life.where()) {
            case QUEUED -> assertTrue(subject.hasStarted());
            case RUNNING -> {
                actNow();
                suspend();
            }
            case IN_A_WAIT, WOKEN -> await(gate.deferred());
            case IN_SUSPEND -> suspendUntilFree();
            case PROTECTED -> protect(() -> await(gate.deferred()));
            case IN_CLEAN_UP -> cleanUp();
            case IN_THE_JDK -> latch.await();
        }
    }

    private void suspendUntilFree() {
        while (!free) {
            suspend();
        }
    }

    private void cleanUp() {
        try {
            delay(HOUR);
        } finally {
            await(gate.deferred());
        }
    }

    private Object react(Throwable cut) throws Exception {
        if (life.form() == Form.SPAWNS_IN_CLEAN_UP) {
            sayGoodbye();
        }
        switch (life.body()) {
            case SWALLOWS -> {
                return "value";
            }
            case UNTIDY -> throw new IOException("untidy");
            default -> {
                if (cut instanceof InterruptedException interrupted) {
                    throw interrupted;
                }
                throw (Error) cut;
            }
        }
    }

    private void sayGoodbye() {
        try {
            Heddle.spawn(
                            () -> {
                                suspend();
                                below = "goodbye";
                            })
                    .awaitOutcome();
        } catch (IllegalStateException refusal) {
            below = "refused";
        }
    }

    private static String inWords(Outcome<?> end) {
        return switch (end) {
            case Outcome.Success<?> _ -> "success";
            case Outcome.Cancelled<?>(var why) -> "cancelled: " + why.reason();
            case Outcome.Failure<?>(var error) -> "failure: " + inWords(error);
        };
    }

    private static String inWords(Throwable error) {
        String message = Objects.toString(error.getMessage());
        var suppressed =
                Stream.of(error.getSuppressed())
                        .map(each -> Objects.toString(each.getMessage()))
                        // The child's own cancellation, which is in its failure too.
                        .filter(each -> !each.startsWith("its scope was left by"))
                        .distinct()
                        .sorted()
                        .toList();
        return suppressed.isEmpty()
                ? message
                : message + ", suppressed " + String.join(" and ", suppressed);
    }
}
