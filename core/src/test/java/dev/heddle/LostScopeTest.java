package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/// Scopes whose handle was dropped without closing it. In real time: only the garbage collector can
/// tell, and it takes what it takes.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class LostScopeTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final World world = World.real();

    @Test
    void oneThatIsSafeIsReportedWithItsPlaceAndLeavesZombies() {
        world.run(
                () -> {
                    var left = abandonedSafe();
                    suspend();

                    collectUntil(left::isZombie);

                    assertTrue(left.scope().isClosed());
                    left.cancel("enough");
                });
        var lost = world.reports(Report.Kind.LOST_HANDLE);
        assertEquals(1, lost.size());
        assertTrue(lost.getFirst().contains("LostScopeTest.java:"), lost.getFirst());
    }

    private static Coroutine<Void> abandonedSafe() {
        return new Scope().spawn(() -> delay(HOUR));
    }

    @Test
    void oneThatIsNotSafeIsReportedAndCancelled() {
        world.run(
                () -> {
                    var left = abandonedUnsafe();
                    suspend();

                    collectUntil(left::isFinished);

                    assertTrue(left.isCancelled());
                });
        assertEquals(1, world.reports(Report.Kind.LOST_HANDLE).size());
    }

    private static Coroutine<Void> abandonedUnsafe() {
        return new Scope().asNotSafely().spawn(() -> delay(HOUR));
    }

    @Test
    void oneThatWasClosedIsNotReported() {
        world.run(
                () -> {
                    closedAndDropped();
                    // When a later one has been found, so would this one have been.
                    var left = abandonedUnsafe();
                    suspend();
                    collectUntil(left::isFinished);
                });
        assertEquals(1, world.reports(Report.Kind.LOST_HANDLE).size());
    }

    private static void closedAndDropped() {
        new Scope().close();
    }

    @Test
    void aHandleOfAChildKeepsItsParents() {
        world.run(
                () -> {
                    var child = Scope.inherit(Scope.inherit(new Scope()));
                    var left = abandonedUnsafe();
                    suspend();
                    collectUntil(left::isFinished);

                    assertEquals(List.of(), lostBut(1));
                    child.spawn(() -> delay(Duration.ofMillis(1))).await();
                    child.close();
                    Reference.reachabilityFence(child);
                });
    }

    @Test
    void aFurtherHandleOfTheSameScopeKeepsIt() {
        world.run(
                () -> {
                    var kept = heldOnlyByItsCoroutine();
                    var left = abandonedUnsafe();
                    suspend();
                    collectUntil(left::isFinished);

                    assertEquals(List.of(), lostBut(1));
                    kept.close();
                    Reference.reachabilityFence(kept);
                });
    }

    private static Scope heldOnlyByItsCoroutine() {
        return new Scope().spawn(Scope::current).await();
    }

    private List<String> lostBut(int known) {
        var lost = world.reports(Report.Kind.LOST_HANDLE);
        return lost.subList(Math.min(known, lost.size()), lost.size());
    }

    // The collector decides when; each round gives it a reason, and the loop a turn.
    private static void collectUntil(BooleanSupplier found) {
        for (int i = 0; i < 2000 && !found.getAsBoolean(); i++) {
            System.gc();
            delay(Duration.ofMillis(10));
        }
        assertTrue(found.getAsBoolean(), "the collector has not found it");
    }
}
