package dev.heddle;

import static dev.heddle.CancellationTest.reason;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/// Scopes that outlive the block that made them: flags, ways to end, handles.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class ScopeTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> trail = new ArrayList<>();

    // ---- flags ----

    @HeddleTest
    void aNewScopeIsSafeAndAChildTakesItsParentsFlag() {
        var safe = new Scope();
        var unsafe = new Scope().asNotSafely();

        assertTrue(safe.isSafe());
        assertTrue(Scope.inherit(safe).isSafe());
        assertFalse(unsafe.isSafe());
        assertFalse(Scope.inherit(unsafe).isSafe());
        assertFalse(Scope.inherit(safe).asNotSafely().isSafe());
        safe.close();
        unsafe.close();
    }

    // ---- ways to end ----

    @HeddleTest(seeds = 20)
    void disposeCancelsAndCloses(TestWorld world) {
        var scope = new Scope();
        var begun = scope.spawn(() -> delay(HOUR));
        suspend();
        var notBegun = scope.spawn(() -> trail.add("never"));

        scope.dispose();

        assertClosed(scope);
        assertEquals(2, scope.active());
        scope.awaitCompletion();
        assertTrue(begun.isCancelled());
        assertTrue(notBegun.isCancelled());
        assertTrue(scope.isFinished());

        assertEquals(List.of(), trail);
        assertEquals(List.of(), world.reports());
    }

    @Test
    void disposeSafelyMakesZombiesOfWhatHasBegunAndNeverStartsTheRest() {
        var world = World.virtual();
        world.run(
                () -> {
                    var scope = new Scope();
                    var begun = scope.spawn(() -> sayAfter(SECOND, "zombie done"));
                    suspend();
                    var notBegun = scope.spawn(() -> trail.add("never"));

                    scope.disposeSafely();

                    assertClosed(scope);
                    assertTrue(begun.isZombie());
                    assertFalse(begun.isCancellationRequested());
                    assertFalse(notBegun.isZombie());
                    assertEquals(1, scope.active());
                    assertEquals(1, scope.zombies());
                    assertFalse(scope.isFinished());
                    begun.await();
                    assertFalse(begun.isCancelled());
                    assertTrue(notBegun.isCancelled());
                    assertEquals(0, scope.active());
                    assertEquals(0, scope.zombies());
                    assertTrue(scope.isFinished());
                });
        assertEquals(List.of("zombie done"), trail);
        assertEquals(1, world.reports(Report.Kind.ZOMBIE).size());
    }

    @HeddleTest(seeds = 20)
    void aLaterDisposeCancelsZombiesToo(TestWorld world) {
        var scope = new Scope();
        var begun = scope.spawn(() -> delay(HOUR));
        world.settle();
        scope.disposeSafely();

        scope.dispose();

        assertEquals("scope disposed of", reason(begun.awaitOutcome()));
        assertTrue(scope.isFinished());

        assertEquals(Duration.ZERO, world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void disposeAfterTimeoutLetsThemGoOnAndThenCancelsWhatIsLeft(TestWorld world) {
        var scope = new Scope().asNotSafely();
        var quick = scope.spawn(() -> sayAfter(SECOND, "quick done"));
        var slow = scope.spawn(() -> delay(HOUR));
        suspend();

        scope.disposeAfterTimeout(SECOND.multipliedBy(5));

        assertClosed(scope);
        assertEquals(2, scope.active());
        assertEquals(0, scope.zombies());
        scope.awaitCompletion();
        assertEquals(Duration.ofSeconds(5), world.elapsed());
        assertFalse(quick.isCancelled());
        assertTrue(slow.isCancelled());

        assertEquals(List.of("quick done"), trail);
    }

    @HeddleTest(seeds = 20)
    void disposeAfterTimeoutOfASafeScopeMakesZombiesAtOnceAndThenCancelsThem(TestWorld world) {
        var scope = new Scope();
        var slow = scope.spawn(() -> delay(HOUR));
        world.settle();

        scope.disposeAfterTimeout(SECOND.multipliedBy(5));

        assertTrue(slow.isZombie());
        scope.awaitCompletion();
        assertEquals(Duration.ZERO, world.elapsed());
        slow.awaitOutcome();
        assertEquals(Duration.ofSeconds(5), world.elapsed());
        assertTrue(slow.isCancelled());
    }

    @HeddleTest(seeds = 20)
    void ofSeveralTimeoutsTheEarliestCounts(TestWorld world) {
        var scope = new Scope();
        var slow = scope.spawn(() -> delay(HOUR));
        world.settle();
        scope.disposeAfterTimeout(SECOND.multipliedBy(5));
        scope.disposeAfterTimeout(SECOND.multipliedBy(10));
        scope.disposeAfterTimeout(SECOND.multipliedBy(2));
        scope.disposeSafely();

        slow.awaitOutcome();

        assertEquals(Duration.ofSeconds(2), world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void disposeIsNotTakenBackByATimeout(TestWorld world) {
        var scope = new Scope();
        var slow = scope.spawn(() -> delay(HOUR));
        suspend();
        scope.dispose();
        scope.disposeAfterTimeout(HOUR);

        slow.awaitOutcome();
        assertEquals(Duration.ZERO, world.elapsed());

        assertEquals(Duration.ZERO, world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void cancelIsDisposeSafelyOnASafeScopeAndDisposeOtherwise(TestWorld world) {
        var safe = new Scope();
        var unsafe = new Scope().asNotSafely();
        var left = safe.spawn(() -> sayAfter(SECOND, "left behind"));
        var cancelled = unsafe.spawn(() -> delay(HOUR));
        world.settle();

        safe.cancel("stop");
        unsafe.cancel("stop");

        assertTrue(left.isZombie());
        assertFalse(left.isCancellationRequested());
        assertEquals("stop", reason(cancelled.awaitOutcome()));
        left.await();

        assertEquals(List.of("left behind"), trail);
    }

    @HeddleTest(seeds = 20)
    void everyCoroutineOfANotSafeScopeGetsTheMessage(TestWorld world) {
        var scope = new Scope().asNotSafely();
        scope.spawn(() -> sayReason("one"));
        scope.spawn(() -> sayReason("two"));
        world.settle();

        scope.cancel("out of stock");

        scope.awaitCompletion();
        assertClosed(scope);
        assertTrue(scope.isCancelled());
        assertEquals(Set.of("one: out of stock", "two: out of stock"), Set.copyOf(trail));
    }

    @HeddleTest(seeds = 20)
    void closeNeverWaitsAndFollowsTheFlag(TestWorld world) {
        Coroutine<?> left;
        Coroutine<?> cancelled;
        try (var safe = new Scope();
                var unsafe = new Scope().asNotSafely()) {
            left = safe.spawn(() -> sayAfter(SECOND, "left behind"));
            cancelled = unsafe.spawn(() -> delay(HOUR));
            world.settle();
        }
        assertEquals(Duration.ZERO, world.elapsed());
        assertTrue(left.isZombie());
        assertFalse(cancelled.isZombie());
        assertEquals("scope closed", reason(cancelled.awaitOutcome()));
        left.awaitOutcome();

        assertEquals(List.of("left behind"), trail);
    }

    @HeddleTest(seeds = 20)
    void closeAfterGivesAGraceAndIsKnownToEveryHandle(TestWorld world) {
        var scope = new Scope().closeAfter(SECOND.multipliedBy(10));
        var third = scope.spawn(() -> delay(HOUR));
        world.settle();

        third.scope().close();

        assertTrue(third.isZombie());
        third.awaitOutcome();
        assertEquals(Duration.ofSeconds(10), world.elapsed());
        assertTrue(third.isCancelled());
    }

    @HeddleTest(seeds = 20)
    void closingTwiceOrAfterCancellingDoesNothing(TestWorld world) {
        var scope = new Scope();
        var begun = scope.spawn(() -> sayAfter(SECOND, "done"));
        world.settle();
        scope.asNotSafely();
        scope.disposeSafely();

        scope.close();
        scope.close();

        assertFalse(begun.isCancellationRequested());
        begun.await();

        assertEquals(List.of("done"), trail);
    }

    @Test
    void anotherThreadMayEndAScope() throws InterruptedException {
        var real = World.real();
        var started = new CountDownLatch(1);
        var shared = new AtomicReference<Scope>();
        Thread other =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    awaitLatch(started);
                                    shared.get().cancel("from outside");
                                });

        real.run(
                () -> {
                    var scope = new Scope().asNotSafely();
                    shared.set(scope);
                    var begun = scope.spawn(() -> delay(HOUR));
                    suspend();
                    started.countDown();

                    assertEquals("from outside", reason(begun.awaitOutcome()));
                });
        other.join();
    }

    // ---- closed ----

    @HeddleTest(seeds = 20)
    void spawningInAClosedScopeIsRefusedWithTheReason() {
        var scope = new Scope().named("shop");
        scope.cancel("closing time");

        var thrown =
                assertThrows(
                        IllegalStateException.class, () -> scope.spawn(() -> trail.add("never")));

        assertTrue(
                thrown.getMessage().startsWith("Cannot spawn a coroutine in a closed scope"),
                thrown.getMessage());
        assertTrue(thrown.getMessage().contains("shop"), thrown.getMessage());
        assertTrue(thrown.getMessage().contains("closing time"), thrown.getMessage());
        assertThrows(IllegalStateException.class, () -> Scope.inherit(scope));
        assertTrue(scope.isFinished());

        assertEquals(List.of(), trail);
    }

    @HeddleTest(seeds = 20)
    void aZombieCannotSpawnIntoItsScope(TestWorld world) {
        var scope = new Scope();
        var zombie =
                scope.spawn(
                        () -> {
                            delay(SECOND);
                            assertThrows(
                                    IllegalStateException.class,
                                    () -> spawn(() -> trail.add("never")));
                            trail.add("refused");
                        });
        world.settle();
        scope.disposeSafely();
        zombie.await();

        assertEquals(List.of("refused"), trail);
    }

    // ---- handles ----

    @HeddleTest(seeds = 20)
    void aCoroutineKnowsItsScopeByTheSameHandle() {
        var scope = new Scope();
        var other = new Scope();
        var coroutine = scope.spawn(() -> assertSame(scope, Scope.current()));

        assertSame(scope, coroutine.scope());
        assertEquals(scope.hashCode(), coroutine.scope().hashCode());
        assertNotEquals(scope, other);
        coroutine.await();
        scope.close();
        other.close();
    }

    @HeddleTest(seeds = 20)
    void infoTellsWhereItWasMadeAndItsCounters() {
        var scope = new Scope().named("shop");
        scope.spawn(() -> delay(SECOND));

        String info = scope.info();

        assertTrue(info.contains("\"shop\""), info);
        assertTrue(info.contains("ScopeTest.java:"), info);
        assertTrue(info.contains("active=1, zombies=0"), info);
        assertEquals(info, scope.toString());
        scope.dispose();
        assertTrue(scope.info().contains("closed"), scope.info());
    }

    // ---- for these tests ----

    private static void assertClosed(Scope scope) {
        assertTrue(scope.isClosed());
        assertThrows(IllegalStateException.class, () -> scope.spawn(() -> 1));
    }

    private void sayAfter(Duration duration, String line) {
        delay(duration);
        trail.add(line);
    }

    private void sayReason(String name) {
        try {
            delay(HOUR);
        } catch (Cancellation thrown) {
            trail.add(name + ": " + thrown.reason());
            throw thrown;
        }
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException never) {
            throw new AssertionError(never);
        }
    }
}
