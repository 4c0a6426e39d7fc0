package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.awaitAll;
import static dev.heddle.Heddle.awaitAny;
import static dev.heddle.Heddle.awaitAnyOf;
import static dev.heddle.Heddle.awaitFirstSuccess;
import static dev.heddle.Heddle.awaitSettled;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.iterate;
import static dev.heddle.Heddle.mapEach;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.function.Executable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/// Mistakes of the caller are told at once, in words that help, and change nothing.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class AwaitBadInputTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration NEGATIVE = Duration.ofNanos(-1);

    private final List<String> trail = new ArrayList<>();

    private static void assertTells(Class<? extends Throwable> type, String word, Executable call) {
        var thrown = assertThrows(type, call);
        String message = String.valueOf(thrown.getMessage());
        assertTrue(message.contains(word), () -> "expected «" + word + "» in: " + message);
    }

    private static void assertNull(String word, Executable call) {
        assertTells(NullPointerException.class, word, call);
    }

    @HeddleTest
    void nullsAreNamed() {
        var done = Deferred.completed("v");
        List<Deferred<String>> holed = Arrays.asList(done, null);

        assertNull("what to await", () -> await((Awaitable<String>) null));
        assertNull("stage", () -> await((CompletionStage<String>) null));
        assertNull("duration", () -> await(done, (Duration) null));
        assertNull("token", () -> await(done, (Token) null));
        assertNull("expected", () -> await(done, (Class<Exception>) null));
        assertNull("position 1", () -> awaitAll(holed));
        assertNull("position 1", () -> awaitAll(done, null));
        assertNull("position 1", () -> awaitSettled(holed));
        assertNull("position 1", () -> awaitAny(holed));
        assertNull("position 0", () -> awaitFirstSuccess(null, done));
        assertNull("position 1", () -> awaitAnyOf(1, holed));
        assertNull("all", () -> awaitAll((List<Deferred<String>>) null));
        assertNull("all", () -> awaitSettled((List<Deferred<String>>) null));
        assertNull("token", () -> awaitAll(List.of(done), null));
        assertNull("token", () -> awaitSettled(List.of(done), null));
        assertNull("what to await", () -> Token.when(null));
        assertNull("duration", () -> Token.after(null));
        assertNull("token", () -> Token.after(SECOND).or(null));
        assertNull("duration", () -> delay(null));
    }

    @HeddleTest
    void nullsGivenToPromisesAreNamedAndSettleNothing() {
        var promise = new Promise<String>();

        assertNull("error", () -> promise.fail(null));
        assertNull("reason", () -> promise.cancel(null));
        assertNull("error", () -> Deferred.failed(null));
        assertNull("stage", () -> Deferred.from(null));
        assertTrue(promise.complete("still open"));
    }

    @HeddleTest
    void negativeDurationsAreRefusedWithTheirValue() {
        var done = Deferred.completed("v");

        for (Executable call :
                List.<Executable>of(
                        () -> await(done, NEGATIVE),
                        () -> done.await(NEGATIVE),
                        () -> Token.after(NEGATIVE),
                        () -> delay(NEGATIVE))) {
            assertTells(IllegalArgumentException.class, NEGATIVE.toString(), call);
        }
    }

    // Everything that needs a coroutine, by name.
    private static Map<String, Executable> waits(Deferred<String> one, Token token) {
        var calls = new LinkedHashMap<String, Executable>();
        calls.put("await", one::await);
        calls.put("await with a timeout", () -> await(one, SECOND));
        calls.put("await with a token", () -> await(one, token));
        calls.put("awaitOutcome", one::awaitOutcome);
        calls.put("awaitAll", () -> awaitAll(one));
        calls.put("awaitAny", () -> awaitAny(one));
        calls.put("awaitFirstSuccess", () -> awaitFirstSuccess(one));
        calls.put("awaitSettled", () -> awaitSettled(List.of(one)));
        calls.put("awaitAnyOf", () -> awaitAnyOf(1, List.of(one)));
        calls.put("iterate", () -> iterate(List.of(1), 1, _ -> {}));
        calls.put("mapEach", () -> mapEach(List.of(1), 1, item -> item));
        calls.put("delay", () -> delay(SECOND));
        calls.put("suspend", () -> suspend());
        return calls;
    }

    @Test
    void waitingOutsideACoroutineSaysWhichCallAndWhereItBelongs() {
        var world = World.virtual();
        var kept = new AtomicReference<Map<String, Executable>>();
        world.run(() -> kept.set(waits(Deferred.completed("v"), Token.after(SECOND))));

        kept.get()
                .forEach(
                        (name, call) -> {
                            String first = name.split(" ")[0];
                            String word = first.equals("awaitOutcome") ? "await" : first;
                            assertTells(
                                    IllegalStateException.class,
                                    word + " outside a coroutine",
                                    call);
                            assertTells(IllegalStateException.class, "Heddle.run", call);
                        });
    }

    @Test
    void makingPromisesOutsideALoopSaysWhereItBelongs() {
        var stage = new CompletableFuture<String>();
        for (Executable call :
                List.<Executable>of(
                        () -> new Promise<String>(),
                        () -> Promise.<String>external(),
                        () -> Deferred.completed("v"),
                        () -> Deferred.failed(new IllegalStateException()),
                        () -> Deferred.from(stage),
                        () -> Token.after(SECOND))) {
            assertTells(IllegalStateException.class, "Heddle.run", call);
        }
        assertEquals(0, stage.getNumberOfDependents());
    }

    @HeddleTest(seeds = 20)
    void waitingInsideACallbackSaysToSpawn() {
        var done = Deferred.completed("v");
        var calls = waits(done, Token.after(SECOND));
        var checked =
                done.onFinally(() -> calls.values().forEach(AwaitBadInputTest::assertRefused));
        await(checked);
        trail.add("all refused");

        assertEquals(List.of("all refused"), trail);
    }

    private static void assertRefused(Executable call) {
        assertTells(IllegalStateException.class, "inside a callback", call);
        assertTells(IllegalStateException.class, "spawn", call);
    }

    @HeddleTest(seeds = 20)
    void mistakesLeaveTheCallerAbleToWait() {
        var promise = new Promise<String>();
        List<Deferred<String>> holed = Arrays.asList(promise.deferred(), null);
        assertNull("position 1", () -> awaitAll(holed));
        assertTells(
                IllegalArgumentException.class,
                "negative",
                () -> await(promise.deferred(), NEGATIVE));
        spawn(() -> promise.complete("v"));

        assertEquals("v", await(promise.deferred()));
    }

    // ---- two loops ----

    @Test
    void thingsOfAnotherLoopAreRefusedNamingBothLoops() throws Exception {
        var foreign = new AtomicReference<Promise<String>>();
        var ready = new CountDownLatch(1);
        var other =
                Thread.ofPlatform()
                        .start(
                                () ->
                                        World.real()
                                                .with(o -> o.loop(l -> l.name("theirs")))
                                                .run(
                                                        () -> {
                                                            foreign.set(Promise.external());
                                                            ready.countDown();
                                                            await(foreign.get().deferred());
                                                        }));
        ready.await();
        try {
            World.real()
                    .with(o -> o.loop(l -> l.name("ours")))
                    .run(() -> refuseAll(foreign.get().deferred()));
        } finally {
            assertTrue(foreign.get().complete("over"));
            other.join();
        }
    }

    private static void refuseAll(Deferred<String> theirs) {
        var mine = Deferred.completed("mine");
        var calls = waits(theirs, Token.after(SECOND));
        List.of("iterate", "mapEach", "delay", "suspend").forEach(calls::remove);
        calls.put("as a token", () -> await(new Promise<String>().deferred(), Token.when(theirs)));
        calls.put("among others", () -> awaitAll(mine, theirs));
        calls.put("map", () -> theirs.map(x -> x));
        calls.put("recover", () -> theirs.recover(_ -> ""));
        calls.put("onFinally", () -> theirs.onFinally(() -> {}));
        calls.put("ignore", theirs::ignore);
        calls.put("toCompletableFuture", theirs::toCompletableFuture);
        calls.forEach(
                (_, call) -> {
                    assertTells(WrongLoopException.class, "theirs", call);
                    assertTells(WrongLoopException.class, "ours", call);
                });
        assertEquals("mine", await(mine));
    }
}
