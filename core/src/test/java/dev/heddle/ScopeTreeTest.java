package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Scopes below scopes: what reaches whom, and what is counted.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class ScopeTreeTest {
    private static final int DEPTH = 100_000;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> trail = new ArrayList<>();

    @HeddleTest(seeds = 20)
    void cancellingAParentReachesTheWholeSubtreeAndNothingElse(TestWorld world) {
        var top = new Scope().asNotSafely();
        var middle = Scope.inherit(top);
        var bottom = Scope.inherit(middle);
        var sibling = Scope.inherit(top);
        var stranger = new Scope().asNotSafely();
        for (var scope : List.of(top, middle, bottom, sibling, stranger)) {
            scope.named(name(scope, top, middle, bottom, sibling));
            scope.spawn(() -> sayReason(scope.name()));
        }
        world.settle();

        middle.cancel("middle");
        delay(SECOND);
        assertEquals(Set.of("middle: middle", "bottom: middle"), Set.copyOf(trail));
        assertFalse(top.isClosed());
        assertFalse(sibling.isClosed());
        assertTrue(bottom.isClosed());

        top.cancel("top");
        delay(SECOND);
        assertFalse(stranger.isClosed());
        assertEquals(1, stranger.active());
        stranger.dispose();
        world.settle();

        assertEquals(
                Set.of(
                        "middle: middle",
                        "bottom: middle",
                        "top: top",
                        "sibling: top",
                        "stranger: scope disposed of"),
                Set.copyOf(trail));
    }

    private static String name(Scope scope, Scope top, Scope middle, Scope bottom, Scope sibling) {
        var names = List.of("top", "middle", "bottom", "sibling", "stranger");
        int at = List.of(top, middle, bottom, sibling).indexOf(scope);
        return names.get(at < 0 ? 4 : at);
    }

    @HeddleTest(seeds = 20)
    void scopesCancelledTogetherKeepTheirOwnMessages(TestWorld world) {
        for (int i = 0; i < 3; i++) {
            String name = "scope " + i;
            var scope = new Scope().asNotSafely();
            scope.spawn(() -> sayReason(name));
            world.settle();
            spawn(() -> scope.cancel("reason of " + name));
        }
        world.settle();

        assertEquals(
                Set.of(
                        "scope 0: reason of scope 0",
                        "scope 1: reason of scope 1",
                        "scope 2: reason of scope 2"),
                Set.copyOf(trail));
    }

    @HeddleTest(seeds = 20)
    void oneThatWasCancelledAloneKeepsItsReasonWhenTheScopeIsCancelled(TestWorld world) {
        var scope = new Scope().asNotSafely();
        var alone = scope.spawn(() -> sayReason("alone"));
        scope.spawn(() -> sayReason("other"));
        world.settle();
        alone.cancel("mine");
        scope.cancel("everybody's");
        world.settle();

        assertEquals(Set.of("alone: mine", "other: everybody's"), Set.copyOf(trail));
    }

    @HeddleTest(seeds = 20)
    void countersCountTheSubtree(TestWorld world) {
        var top = new Scope();
        var below = Scope.inherit(top);
        top.spawn(() -> delay(SECOND));
        below.spawn(() -> delay(SECOND));
        below.spawn(() -> delay(HOUR));
        world.settle();
        assertEquals(3, top.active());
        assertEquals(2, below.active());

        below.disposeSafely();

        assertEquals(1, top.active());
        assertEquals(2, top.zombies());
        delay(SECOND.multipliedBy(2));
        assertEquals(0, top.active());
        assertEquals(1, top.zombies());
        top.dispose();
        delay(SECOND);
        assertEquals(0, top.zombies());
    }

    @Test
    @Tag("PB-03")
    void aHundredThousandDeepIsCancelledWithoutOverflow() {
        var world = World.virtual();
        world.run(
                () -> {
                    var top = new Scope().asNotSafely();
                    var scope = top;
                    var ends = new ArrayList<Coroutine<Void>>();
                    for (int i = 1; i < DEPTH; i++) {
                        scope = Scope.inherit(scope);
                        if (i % 100 == 0) {
                            ends.add(scope.spawn(() -> delay(HOUR)));
                        }
                    }
                    var deepest = scope;
                    suspend();
                    assertEquals(999, top.active());

                    top.cancel("all of you");

                    top.awaitCompletion();
                    ends.forEach(each -> assertTrue(each.isCancelled(), each.info()));
                    assertTrue(deepest.isFinished());
                    assertTrue(top.isFinished());
                });
        assertEquals(Duration.ZERO, world.elapsed());
    }

    @Test
    @Tag("PB-03")
    void aHundredThousandDeepIsClosedAndItsZombiesEndWithoutOverflow() {
        var world = World.virtual();
        world.run(
                () -> {
                    var all = new ArrayList<Scope>();
                    all.add(new Scope());
                    while (all.size() < DEPTH) {
                        all.add(Scope.inherit(all.getLast()));
                    }
                    var end = all.getLast().spawn(() -> delay(SECOND));
                    suspend();

                    all.getFirst().close();
                    assertTrue(all.getLast().isClosed());
                    assertEquals(0, all.getFirst().active());
                    assertEquals(1, all.getFirst().zombies());
                    assertFalse(all.getFirst().isFinished());

                    end.awaitOutcome();
                    all.forEach(each -> assertTrue(each.isFinished(), each.name()));
                });
    }

    // The other way round: every scope leaves its parent when the parent is still open.
    @Test
    @Tag("PB-03")
    void aHundredThousandDeepIsClosedFromTheInsideWithoutOverflow() {
        var world = World.virtual();
        world.run(
                () -> {
                    var all = new ArrayList<Scope>();
                    all.add(new Scope());
                    while (all.size() < DEPTH) {
                        all.add(Scope.inherit(all.getLast()));
                    }
                    all.reversed().forEach(Scope::close);
                    all.forEach(each -> assertTrue(each.isFinished(), each.name()));
                });
    }

    // ---- for these tests ----

    private void sayReason(String name) {
        try {
            delay(HOUR);
        } catch (Cancellation thrown) {
            trail.add(name + ": " + thrown.reason());
            throw thrown;
        }
    }
}
