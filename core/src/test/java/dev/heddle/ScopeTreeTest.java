package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Scopes below scopes: what reaches whom, and what is counted.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class ScopeTreeTest {
    private static final int DEPTH = 100_000;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final World world = World.virtual();

    @Test
    void cancellingAParentReachesTheWholeSubtreeAndNothingElse() {
        world.run(
                () -> {
                    var top = new Scope().asNotSafely();
                    var middle = Scope.inherit(top);
                    var bottom = Scope.inherit(middle);
                    var sibling = Scope.inherit(top);
                    var stranger = new Scope().asNotSafely();
                    for (var scope : List.of(top, middle, bottom, sibling, stranger)) {
                        scope.named(name(scope, top, middle, bottom, sibling));
                        scope.spawn(() -> sayReason(scope.name()));
                    }
                    suspend();

                    middle.cancel("middle");
                    delay(SECOND);
                    assertEquals(
                            List.of("middle: middle", "bottom: middle"), List.copyOf(world.trail));
                    assertFalse(top.isClosed());
                    assertFalse(sibling.isClosed());
                    assertTrue(bottom.isClosed());

                    top.cancel("top");
                    delay(SECOND);
                    assertFalse(stranger.isClosed());
                    assertEquals(1, stranger.active());
                    stranger.dispose();
                });
        assertEquals(
                List.of(
                        "middle: middle",
                        "bottom: middle",
                        "top: top",
                        "sibling: top",
                        "stranger: scope disposed of"),
                world.trail);
    }

    private static String name(Scope scope, Scope top, Scope middle, Scope bottom, Scope sibling) {
        var names = List.of("top", "middle", "bottom", "sibling", "stranger");
        int at = List.of(top, middle, bottom, sibling).indexOf(scope);
        return names.get(at < 0 ? 4 : at);
    }

    @Test
    void scopesCancelledTogetherKeepTheirOwnMessages() {
        world.run(
                () -> {
                    for (int i = 0; i < 3; i++) {
                        String name = "scope " + i;
                        var scope = new Scope().asNotSafely();
                        scope.spawn(() -> sayReason(name));
                        spawn(() -> scope.cancel("reason of " + name));
                    }
                });
        assertEquals(
                List.of(
                        "scope 0: reason of scope 0",
                        "scope 1: reason of scope 1",
                        "scope 2: reason of scope 2"),
                world.trail);
    }

    @Test
    void oneThatWasCancelledAloneKeepsItsReasonWhenTheScopeIsCancelled() {
        world.run(
                () -> {
                    var scope = new Scope().asNotSafely();
                    var alone = scope.spawn(() -> sayReason("alone"));
                    scope.spawn(() -> sayReason("other"));
                    suspend();
                    alone.cancel("mine");
                    scope.cancel("everybody's");
                });
        assertEquals(List.of("alone: mine", "other: everybody's"), world.trail);
    }

    @Test
    void countersCountTheSubtree() {
        world.run(
                () -> {
                    var top = new Scope();
                    var below = Scope.inherit(top);
                    top.spawn(() -> delay(SECOND));
                    below.spawn(() -> delay(SECOND));
                    below.spawn(() -> delay(HOUR));
                    suspend();
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
                });
    }

    @Test
    @Tag("PB-03")
    void aHundredThousandDeepIsCancelledWithoutOverflow() {
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
            world.say(name + ": " + thrown.reason());
            throw thrown;
        }
    }
}
