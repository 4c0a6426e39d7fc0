package dev.heddle;

import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.function.Executable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// Mistakes of the caller in running, spawning and in what a handle offers: each is refused with
/// the value and the rule, and changes nothing.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
@SuppressWarnings("NullAway") // Nulls are the point.
final class EngineBadInputTest {
    private static final Duration NEGATIVE = Duration.ofMillis(-5);

    private final World world = World.virtual();

    @Test
    void runningNothingIsRefused() {
        assertNull("main", () -> Heddle.run((Op<String, RuntimeException>) null));
        assertNull("main", () -> Heddle.run((VoidOp<RuntimeException>) null));
        assertNull("main", () -> Heddle.with().run((Op<String, RuntimeException>) null));
        assertNull("main", () -> Heddle.with().run((VoidOp<RuntimeException>) null));
    }

    @Test
    void optionsNameWhatIsWrong() {
        var options = Heddle.with();
        assertNull("backend", () -> options.backend(null));
        assertNull("change", () -> options.loop(null));
        assertNull("loop options", () -> options.loop(_ -> null));
        assertNull("consumer", () -> options.onReport(null));
        assertNull("signals", () -> options.shutdownOn((Signal[]) null));
        assertNull("signal", () -> options.shutdownOn(Signal.INT, null));
        List<Consumer<Duration>> durations =
                List.of(
                        options::cleanUpWindow,
                        options::zombieGrace,
                        options::zombieLogEvery,
                        options::shutdownLimit,
                        options::blockedAfter,
                        options::jdkDeadlockAfter);
        for (var each : durations) {
            assertTells(IllegalArgumentException.class, "PT-0.005S", () -> each.accept(NEGATIVE));
            assertThrows(NullPointerException.class, () -> each.accept(null));
        }
        assertTells(
                IllegalArgumentException.class,
                "clean-up window must be positive",
                () -> options.cleanUpWindow(Duration.ZERO));
        assertTells(
                IllegalArgumentException.class,
                "must be positive",
                () -> options.zombieLogEvery(Duration.ZERO));
        assertTells(
                IllegalArgumentException.class,
                "must be positive",
                () -> options.jdkDeadlockAfter(Duration.ZERO));
    }

    @Test
    void optionsAreCopiesAndTheDefaultsStayAsTheyAre() {
        var changed = Heddle.with().debug().cleanUpWindow(Duration.ofHours(1));

        assertTrue(changed.debug);
        assertFalse(Heddle.with().debug);
        assertEquals(Duration.ofSeconds(1).toNanos(), Heddle.with().cleanUpNanos);
    }

    @Test
    void durationsThatAreTooLongForAClockAreTakenAsForEver() {
        var forEver = Duration.ofSeconds(Long.MAX_VALUE);
        world.with(
                        options ->
                                options.cleanUpWindow(forEver)
                                        .zombieGrace(forEver)
                                        .shutdownLimit(forEver))
                .run(
                        () -> {
                            var endless = spawn(() -> Heddle.delay(forEver));
                            suspend();
                            endless.cancelAndAwait("enough");
                        });
    }

    @Test
    void aBackendThatTheMachineLacksIsSaidAtOnce() {
        for (var backend : Backend.values()) {
            if (backend == Backend.SIM || World.backends().contains(backend)) {
                continue;
            }
            var refused =
                    assertThrows(
                            RuntimeException.class,
                            () -> Heddle.with().backend(backend).run(() -> world.say("never")));
            assertTrue(
                    refused.getMessage().contains(backend.label()),
                    () -> backend + ": " + refused.getMessage());
        }
        assertEquals(List.of(), world.trail);
    }

    @Test
    void spawningNothingIsRefusedAndLeavesNothing() {
        world.run(
                () -> {
                    assertNull("body", () -> spawn((Callable<String>) null));
                    assertNull("body", () -> spawn((Action) null));
                    assertNull("body", () -> spawn("name", (Callable<String>) null));
                    assertNull("body", () -> spawn("name", (Action) null));
                    assertNull("name", () -> spawn(null, () -> "never"));
                    assertNull("name", () -> spawn(null, () -> world.say("never")));
                    assertNull("strategy", () -> Heddle.spawnWith(null, () -> "never"));
                    assertNull("body", () -> Heddle.spawnWith(new SpawnStrategy() {}, null));
                    assertEquals(1, Heddle.coroutines().size());
                });
    }

    @Test
    void spawningOutsideALoopSaysWhereItBelongs() {
        List<Executable> calls =
                List.of(
                        () -> spawn(() -> "never"),
                        () -> Heddle.spawnWith(new SpawnStrategy() {}, () -> "never"),
                        () -> Heddle.coroutines(),
                        () -> Heddle.shutdown(),
                        () -> new Scope());
        for (var call : calls) {
            assertTells(IllegalStateException.class, "call it inside Heddle.run(() -> …)", call);
        }
        assertTells(IllegalStateException.class, "outside a coroutine", Heddle::current);
        assertTells(IllegalStateException.class, "outside a coroutine", Heddle::suspend);
        assertTells(
                IllegalStateException.class,
                "delay outside a coroutine",
                () -> Heddle.delay(Duration.ofSeconds(1)));
    }

    @Test
    void bodiesThatRunInsideTheCallAreNamedIfTheyAreMissing() {
        world.run(
                () -> {
                    var second = Duration.ofSeconds(1);
                    assertNull("body", () -> Heddle.offload((Op<String, Exception>) null));
                    assertNull("body", () -> Heddle.offload((VoidOp<Exception>) null));
                    assertNull("discard", () -> Heddle.offload(() -> "never", null));
                    assertNull("body", () -> Heddle.protect((Op<String, Exception>) null));
                    assertNull("body", () -> Heddle.protect((VoidOp<Exception>) null));
                    assertNull("body", () -> Heddle.within(second, (Op<String, Exception>) null));
                    assertNull("body", () -> Heddle.within(second, (VoidOp<Exception>) null));
                    suspend();
                });
    }

    @Test
    void durationsThatAreNegativeAreRefusedWithTheirValue() {
        world.run(
                () -> {
                    assertTells(
                            IllegalArgumentException.class,
                            "PT-0.005S",
                            () -> Heddle.delay(NEGATIVE));
                    assertTells(
                            IllegalArgumentException.class,
                            "PT-0.005S",
                            () -> Heddle.within(NEGATIVE, () -> world.say("never")));
                    assertThrows(NullPointerException.class, () -> Heddle.delay(null));
                    assertThrows(
                            NullPointerException.class,
                            () -> Heddle.within(null, () -> world.say("never")));
                    suspend();
                });

        assertEquals(List.of(), world.trail);
    }

    @Test
    void aHandleNamesWhatIsMissing() {
        world.run(
                () -> {
                    var coroutine = spawn(() -> "value");
                    assertNull("name", () -> coroutine.named(null));
                    assertNull("handler", () -> coroutine.onCompletion(null));
                    assertNull("reason", () -> coroutine.cancel(null));
                    assertNull("reason", () -> coroutine.cancelAndAwait(null));
                    assertFalse(coroutine.isCancellationRequested());
                    assertEquals("value", coroutine.await());
                });
    }

    @Test
    void whatChangesAHandleIsRefusedOnOtherThreadsAndAfterTheEnd() {
        var handle = new CompletableFuture<Coroutine<String>>();
        World.real()
                .run(
                        () -> {
                            var coroutine = spawn("kept", () -> "value");
                            handle.complete(coroutine);
                            Heddle.offload(
                                    () ->
                                            assertAllTell(
                                                    WrongThreadException.class,
                                                    "belongs to Loop(heddle",
                                                    coroutine));
                            assertEquals("value", coroutine.await());
                        });

        assertAllTell(IllegalStateException.class, "after the program has ended", handle.join());
        assertEquals("value", handle.join().outcome().orElseThrow().orThrow());
        assertEquals("kept", handle.join().name());
    }

    private static void assertAllTell(
            Class<? extends Throwable> type, String word, Coroutine<String> coroutine) {
        assertTells(type, word, () -> coroutine.onCompletion(_ -> {}));
        assertTells(type, word, coroutine::asHighPriority);
        assertTells(type, word, coroutine::observed);
        assertTells(type, word, () -> coroutine.named("other"));
    }

    @Test
    void cancellingFromAnotherThreadOrAfterTheEndIsFine() {
        var handle = new CompletableFuture<Coroutine<Void>>();
        World.real()
                .run(
                        () -> {
                            var coroutine = spawn(() -> Heddle.delay(Duration.ofHours(1)));
                            handle.complete(coroutine);
                            Heddle.offload(() -> coroutine.cancel("from afar"));
                            coroutine.awaitOutcome();
                            assertTrue(coroutine.isCancelled());
                        });

        handle.join().cancel("too late");
        assertTrue(handle.join().isCancelled());
    }

    @Test
    void waitingInsideACallbackSaysToSpawn() {
        var refused = new ArrayList<String>();
        world.run(
                () ->
                        spawn(() -> {})
                                .onCompletion(
                                        _ -> {
                                            for (Executable call :
                                                    List.<Executable>of(
                                                            Heddle::suspend,
                                                            () ->
                                                                    Heddle.delay(
                                                                            Duration.ofSeconds(1)),
                                                            () -> Heddle.offload(() -> {}),
                                                            Heddle::current)) {
                                                refused.add(
                                                        assertThrows(
                                                                        IllegalStateException.class,
                                                                        call)
                                                                .getMessage());
                                            }
                                        }));

        assertEquals(4, refused.size());
        for (var message : refused) {
            assertTrue(message.contains("inside a callback"), message);
            assertTrue(message.contains("spawn"), message);
        }
    }

    private static void assertNull(String word, Executable call) {
        assertTells(NullPointerException.class, word, call);
    }

    private static void assertTells(Class<? extends Throwable> type, String word, Executable call) {
        var thrown = assertThrows(type, call);
        assertTrue(
                thrown.getMessage() != null && thrown.getMessage().contains(word),
                () -> word + " is not said: " + thrown);
    }
}
