package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.iterate;
import static dev.heddle.Heddle.mapEach;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/// A block belongs to the coroutine that is in it: a zombie goes on with all of it.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class ZombieBlocksTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final List<Integer> NUMBERS = List.of(1, 2, 3, 4);
    private static final List<Integer> SQUARES = List.of(1, 4, 9, 16);

    private final List<Object> trail = new ArrayList<>();

    /// The ways to end a safe scope that let its coroutines go on.
    private static final List<Consumer<Scope>> SAFE_ENDS =
            List.of(
                    Scope::disposeSafely,
                    Scope::close,
                    Scope::cancel,
                    scope -> scope.disposeAfterTimeout(HOUR));

    @HeddleTest(seeds = 20)
    void mapEachOfAZombieReturnsEveryResult() {
        for (var end : SAFE_ENDS) {
            var scope = new Scope();
            var zombie = scope.spawn(() -> mapEach(NUMBERS, 4, n -> n * n));
            awaitBegin(zombie);
            end.accept(scope);
            assertEquals(SQUARES, zombie.await());
        }
    }

    @HeddleTest(seeds = 20)
    void itemsThatHaveNotBegunAreDoneByAZombieToo() {
        for (var end : SAFE_ENDS) {
            var scope = new Scope();
            var zombie = scope.spawn(() -> mapEach(NUMBERS, 2, ZombieBlocksTest::slowSquare));
            delay(SECOND.dividedBy(2));
            end.accept(scope);
            assertEquals(SQUARES, zombie.await());
        }
    }

    @HeddleTest(seeds = 20)
    void aScopeThatIsNotSafeAndHasTimeLetsBlocksGoOnUntilThen() {
        var scope = new Scope().asNotSafely();
        var working = scope.spawn(() -> mapEach(NUMBERS, 1, ZombieBlocksTest::slowSquare));
        delay(SECOND.dividedBy(2));
        scope.disposeAfterTimeout(HOUR);
        assertEquals(SQUARES, working.await());
    }

    @HeddleTest(seeds = 20)
    void aZombieSpawnsInItsOwnBlocks(TestWorld world) {
        var scope = new Scope();
        var zombie =
                scope.spawn(
                        () ->
                                Scope.call(
                                        block -> {
                                            delay(SECOND);
                                            var child = block.spawn(() -> slowSquare(3));
                                            var inner = Scope.call(_ -> spawn(() -> 5));
                                            return child.await() + inner.await();
                                        }));
        delay(SECOND.dividedBy(2));
        scope.disposeSafely();
        assertEquals(14, zombie.await());
        assertTrue(
                world.reports().stream().allMatch(each -> each.kind() == Report.Kind.ZOMBIE),
                world.reports()::toString);
    }

    @HeddleTest(seeds = 20)
    void aNestedRunOfAZombieIsABlockToo() {
        var scope = new Scope();
        var zombie =
                scope.spawn(
                        () ->
                                Heddle.run(
                                        () -> {
                                            var child = spawn(() -> slowSquare(2));
                                            return child.await();
                                        }));
        awaitBegin(zombie);
        scope.disposeSafely();
        assertEquals(4, zombie.await());
    }

    @HeddleTest(seeds = 20)
    void aFailureInTheBlockOfAZombieFailsTheBlockAndNobodyElse(TestWorld world) {
        var scope = new Scope();
        var zombie =
                scope.spawn(
                        () -> {
                            try {
                                Scope.run(block -> block.spawn(() -> failAfter(SECOND)));
                            } catch (IllegalStateException failed) {
                                trail.add(failed.getMessage());
                            }
                            return "went on";
                        });
        awaitBegin(zombie);
        scope.disposeSafely();
        assertEquals("went on", zombie.await());
        assertEquals(List.of("on purpose"), trail);
    }

    @HeddleTest(seeds = 20)
    void whatIsInTheBlockOfAZombieCountsAsZombieAndIsNotWaitedFor(TestWorld world) {
        var scope = new Scope();
        scope.spawn("host", () -> iterate(NUMBERS, 2, _ -> delay(HOUR)));
        delay(SECOND);
        assertEquals(3, scope.active());
        scope.disposeSafely();
        assertEquals(0, scope.active());
        assertEquals(3, scope.zombies());
        scope.awaitCompletion();
        assertEquals(SECOND, world.elapsed());
        assertTrue(Heddle.coroutines().stream().skip(1).allMatch(Coroutine::isZombie));

        // Two more items have begun by now.
        delay(HOUR.plus(SECOND));
        assertEquals(0, scope.active());
        assertEquals(3, scope.zombies());
        scope.awaitAfterCancellation();
        assertEquals(0, scope.zombies());
        assertTrue(scope.isFinished());
    }

    @Test
    void aZombieThatLoopsForEverDoesNotHoldUpTheEndOfTheProgram() {
        var world = World.virtual();
        world.run(
                () -> {
                    Iterator<Integer> endless = NUMBERS.iterator();
                    Iterable<Integer> items = () -> new Endless(endless.next());
                    var scope = new Scope();
                    scope.spawn(() -> iterate(items, 3, _ -> delay(SECOND)));
                    delay(SECOND.multipliedBy(5));
                    scope.disposeSafely();
                });
        assertTrue(
                world.reports().stream().noneMatch(each -> each.kind() == Report.Kind.ABANDONED),
                world.reports()::toString);
    }

    @HeddleTest(seeds = 20)
    void disposeReachesTheBlocksOfZombies(TestWorld world) {
        var scope = new Scope();
        var zombie = scope.spawn(() -> mapEach(NUMBERS, 4, ZombieBlocksTest::slowSquare));
        delay(SECOND.dividedBy(2));
        scope.disposeSafely();
        scope.dispose();
        assertTrue(zombie.awaitOutcome() instanceof Outcome.Cancelled);
        assertEquals(SECOND.dividedBy(2), world.elapsed());
        assertTrue(scope.isFinished());
    }

    @HeddleTest(seeds = 20)
    void anItemThatNeverBeganIsToldAndNotLeftOut() {
        var thrown =
                assertThrows(
                        OperationCancelledException.class,
                        () ->
                                mapEach(
                                        NUMBERS,
                                        4,
                                        n -> {
                                            Scope.current().disposeSafely();
                                            return n * n;
                                        }));
        assertTrue(thrown.getMessage().contains("cancelled"), thrown.getMessage());
        assertFalse(thrown.timedOut());
    }

    // A seed may let others begin first, and what has not begun never becomes a zombie.
    private static void awaitBegin(Coroutine<?> coroutine) {
        while (!coroutine.hasStarted()) {
            suspend();
        }
    }

    private static int slowSquare(int n) {
        delay(SECOND);
        return n * n;
    }

    private static void failAfter(Duration time) {
        delay(time);
        throw new IllegalStateException("on purpose");
    }

    private record Endless(Integer item) implements Iterator<Integer> {
        @Override
        public boolean hasNext() {
            return true;
        }

        @Override
        public Integer next() {
            return item;
        }
    }
}
