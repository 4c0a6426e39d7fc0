package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.awaitAll;
import static dev.heddle.Heddle.awaitAny;
import static dev.heddle.Heddle.awaitAnyOf;
import static dev.heddle.Heddle.awaitFirstSuccess;
import static dev.heddle.Heddle.awaitSettled;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.test.HeddleTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.List;

/// Everything that was given to a wait has had an awaiter, whatever decided and when: its failure
/// stays on its handle, and neither shuts the program down nor cancels its scope.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class GatheredInputsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final IllegalStateException error = new IllegalStateException("bad");

    private Coroutine<String> quick() {
        var quick = spawn(() -> "quick");
        await(quick);
        return quick;
    }

    private Coroutine<String> failed() {
        var failed =
                Heddle.<String>spawn(
                                () -> {
                                    throw error;
                                })
                        .observed();
        failed.awaitOutcome();
        return failed;
    }

    private Coroutine<String> loser() {
        return spawn(
                () -> {
                    delay(SECOND);
                    throw error;
                });
    }

    /// The loser fails later, unobserved if the wait forgot it, and somebody else goes on.
    private void assertKept(Coroutine<String> loser) {
        delay(SECOND.multipliedBy(2));
        assertSame(error, assertThrows(IllegalStateException.class, loser::await));
    }

    @HeddleTest(seeds = 20)
    void loserOfAnyThatWasDecidedAlready() {
        var loser = loser();

        assertEquals("quick", awaitAny(quick(), loser));

        assertKept(loser);
    }

    @HeddleTest(seeds = 20)
    void loserOfAFirstSuccessThatWasThereAlready() {
        var loser = loser();

        assertEquals("quick", awaitFirstSuccess(failed(), quick(), loser));

        assertKept(loser);
    }

    @HeddleTest(seeds = 20)
    void restOfAnAllThatHadFailedAlready() {
        var loser = loser();

        assertSame(error, assertThrows(RuntimeException.class, () -> awaitAll(failed(), loser)));

        assertKept(loser);
    }

    @HeddleTest(seeds = 20)
    void restOfSomeThatWereThereAlready() {
        var loser = loser();

        assertEquals(List.of(1), awaitAnyOf(1, List.of(quick(), loser)).pending());

        assertKept(loser);
    }

    @HeddleTest(seeds = 20)
    void allOfWhichNoneWasWanted() {
        var loser = loser();

        assertEquals(List.of(0), awaitAnyOf(0, List.of(loser)).pending());

        assertKept(loser);
    }

    @HeddleTest(seeds = 20)
    void coroutineOfATokenWhoseWaitDidNotBlock() {
        var loser = loser();

        assertEquals("quick", await(quick(), Token.when(loser)));

        assertKept(loser);
    }

    @HeddleTest(seeds = 20)
    void coroutineOfATokenOfAWaitForNothing() {
        var loser = loser();

        awaitSettled(List.of(), Token.when(loser));

        assertKept(loser);
    }

    @HeddleTest(seeds = 20)
    void coroutineOfATokenOfAWaitForAllThatHadEnded() {
        var loser = loser();

        assertEquals(List.of("quick"), awaitAll(List.of(quick()), Token.when(loser)));

        assertKept(loser);
    }

    @HeddleTest(seeds = 20)
    void coroutineOfATokenOfAWaitForAScopeThatIsIdle() {
        var loser = loser();

        try (var scope = new Scope()) {
            scope.awaitCompletion(Token.when(loser));
        }

        assertKept(loser);
    }

    @Test
    void promiseThatLostBeforeItWasLookedAtWasUsed() {
        var world = World.virtual().with(HeddleOptions::debug);
        world.run(
                () -> {
                    var loser = new Promise<String>();
                    assertEquals("quick", awaitAny(quick(), loser.deferred()));
                });

        assertEquals(List.of(), world.reports());
    }
}
