package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.mapEach;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What is inside a shield is inside it with all that it spawned in its own blocks.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class ShieldedBlocksTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> trail = new ArrayList<>();

    @HeddleTest(seeds = 20)
    void aFailingSiblingDoesNotCancelTheChildrenInside(TestWorld world) {
        assertThrows(
                IllegalStateException.class,
                () ->
                        Scope.run(
                                around -> {
                                    around.spawn(this::protectedWork);
                                    around.spawn(ShieldedBlocksTest::failSoon);
                                }));
        assertEquals(List.of("child done", "inside done"), trail);
        assertEquals(SECOND.multipliedBy(2), world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void disposingOfTheScopeDoesNot() {
        var scope = new Scope();
        var host = scope.spawn(this::protectedWork);
        delay(SECOND);
        scope.dispose();
        assertInstanceOf(Outcome.Cancelled.class, host.awaitOutcome());
        assertEquals(List.of("child done", "inside done"), trail);
    }

    @Test
    void aShutdownDoesNot() {
        World.virtual()
                .run(
                        () -> {
                            spawn(this::protectedWork);
                            delay(SECOND);
                            Heddle.shutdown();
                        });
        assertEquals(List.of("child done", "inside done"), trail);
    }

    @HeddleTest(seeds = 20)
    void cancellingTheCoroutineDoesNot() {
        var host = spawn(this::protectedWork);
        delay(SECOND);
        assertInstanceOf(Outcome.Cancelled.class, host.cancelAndAwait("stop"));
        assertEquals(List.of("child done", "inside done"), trail);
    }

    @HeddleTest(seeds = 20)
    void blocksBelowThoseInsideAreInsideToo() {
        var scope = new Scope();
        var host =
                scope.spawn(
                        () ->
                                protect(
                                        () ->
                                                mapEach(
                                                        List.of(1, 2, 3),
                                                        2,
                                                        n -> {
                                                            Scope.run(in -> in.spawn(() -> say(n)));
                                                            return n;
                                                        })));
        delay(SECOND);
        scope.dispose();
        host.awaitOutcome();
        assertEquals(List.of("1", "2", "3"), trail.stream().sorted().toList());
    }

    @HeddleTest(seeds = 20)
    void aFailureInsideStillCancelsWhatIsInsideTheSameBlock() {
        var thrown =
                assertThrows(
                        IllegalStateException.class,
                        () ->
                                protect(
                                        () ->
                                                Scope.run(
                                                        in -> {
                                                            in.spawn(ShieldedBlocksTest::failSoon);
                                                            in.spawn(this::sayWhenCut);
                                                            Scope.run(
                                                                    inner ->
                                                                            inner.spawn(
                                                                                    this
                                                                                            ::sayWhenCut));
                                                        })));
        assertEquals("sibling", thrown.getMessage());
        assertEquals(List.of("cut", "cut"), trail);
    }

    @HeddleTest(seeds = 20)
    void aBlockAroundTheShieldIsNotInside() {
        var scope = new Scope();
        var host =
                scope.spawn(
                        () ->
                                Scope.run(
                                        around -> {
                                            around.spawn(this::sayWhenCut);
                                            protect(() -> delay(SECOND.multipliedBy(2)));
                                            trail.add("not reached");
                                        }));
        delay(SECOND);
        scope.dispose();
        host.awaitOutcome();
        assertEquals(List.of("cut"), trail);
    }

    private void protectedWork() {
        protect(
                () -> {
                    Scope.run(
                            in ->
                                    in.spawn(
                                            () -> {
                                                delay(SECOND.multipliedBy(2));
                                                trail.add("child done");
                                            }));
                    trail.add("inside done");
                });
        delay(HOUR);
        trail.add("not reached");
    }

    private void say(int n) {
        delay(SECOND.multipliedBy(2));
        trail.add("" + n);
    }

    private void sayWhenCut() {
        try {
            delay(HOUR);
        } catch (Cancellation cut) {
            trail.add("cut");
            throw cut;
        }
    }

    private static void failSoon() {
        delay(SECOND);
        throw new IllegalStateException("sibling");
    }
}
