package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.spawnCall;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// What a coroutine was to own is closed also if there is no coroutine, or the program ends first.
class OwnedRefusedTest {
    private static final Duration MILLI = Duration.ofMillis(1);

    private final List<String> trail = new ArrayList<>();
    private final Thing brittle =
            new Thing(
                    trail,
                    () -> {
                        throw new IOException("cannot close");
                    });

    // ---- refused ----

    @HeddleTest
    void aClosedScopeClosesAndRefuses(TestWorld world) {
        var scope = new Scope();
        scope.dispose();
        var thing = new Thing(trail, () -> delay(MILLI));
        assertThrows(IllegalStateException.class, () -> scope.spawn(thing, _ -> trail.add("body")));
        assertEquals(List.of("close", "closed"), trail);
        assertEquals(MILLI, world.elapsed());
    }

    @HeddleTest
    void whatCloseThrowsIsSuppressedByTheRefusal() {
        var scope = new Scope();
        scope.dispose();
        var thrown =
                assertThrows(IllegalStateException.class, () -> scope.spawnCall(brittle, _ -> 1));
        assertEquals("cannot close", thrown.getSuppressed()[0].getMessage());
    }

    @HeddleTest
    @SuppressWarnings("NullAway") // that is the point
    void badInputClosesWhatThereIs() {
        var things =
                List.of(new Thing(trail), new Thing(trail), new Thing(trail), new Thing(trail));
        VoidFn<Thing, RuntimeException> none = null;
        Fn<Thing, Integer, RuntimeException> noFn = null;
        String noName = null;
        assertThrows(NullPointerException.class, () -> spawn(things.get(0), none));
        assertThrows(NullPointerException.class, () -> spawnCall(things.get(1), noFn));
        assertThrows(NullPointerException.class, () -> spawn(noName, things.get(2), _ -> {}));
        assertThrows(
                NullPointerException.class,
                () -> Scope.current().spawn(noName, things.get(3), _ -> {}));
        things.forEach(Thing::closedOnce);
        Thing nothing = null;
        assertThrows(NullPointerException.class, () -> spawn(nothing, _ -> {}));
        assertThrows(NullPointerException.class, () -> spawn("name", nothing, _ -> {}));
        assertThrows(NullPointerException.class, () -> spawn(noName, nothing, _ -> {}));
    }

    @Test
    void outsideOfALoopItIsClosedAndRefused() {
        var thing = new Thing(trail);
        assertThrows(IllegalStateException.class, () -> spawn(thing, _ -> {}));
        thing.closedOnce();
    }

    @Test
    void theWrongLoopClosesAndRefuses() throws Exception {
        var thing = new Thing(trail);
        var scopes = new ArrayList<Scope>();
        World.virtual().run(() -> scopes.add(new Scope()));
        World.virtual()
                .run(
                        () ->
                                assertThrows(
                                        WrongLoopException.class,
                                        () -> scopes.getFirst().spawn(thing, _ -> {})));
        thing.closedOnce();
    }

    // ---- the end of the program ----

    @Test
    void aProgramThatEndsBeforeItBeganClosesIt() {
        var thing = new Thing(trail);
        World.virtual()
                .run(
                        () -> {
                            Heddle.shutdown();
                            Heddle.shutdown();
                            spawn(thing, _ -> trail.add("body"));
                        });
        assertEquals(List.of("close", "closed"), trail);
    }

    @Test
    void whatThatCloseThrowsIsReported() {
        var world = World.virtual();
        world.run(
                () -> {
                    Heddle.shutdown();
                    Heddle.shutdown();
                    spawn(brittle, _ -> trail.add("body"));
                });
        assertEquals(List.of("close"), trail);
        var reports = world.reports(Report.Kind.UNCAUGHT);
        assertEquals(1, reports.size());
        assertTrue(reports.getFirst().contains("cannot close"), reports::getFirst);
    }

    @Test
    void aProgramThatIsShutDownClosesWhatHasNotBegun() {
        var thing = new Thing(trail, () -> delay(MILLI));
        var world = World.virtual();
        world.run(
                () -> {
                    spawn(thing, _ -> trail.add("body"));
                    Heddle.shutdown();
                });
        assertEquals(List.of("close", "closed"), trail);
        assertEquals(List.of(), world.reports());
        assertFalse(trail.contains("body"));
    }

    @Test
    void manyAreClosedWhereNobodyLooksOn() {
        var things = new ArrayList<Thing>();
        World.virtual()
                .run(
                        () -> {
                            for (int i = 0; i < 1000; i++) {
                                var thing = new Thing(trail, Heddle::suspend);
                                things.add(thing);
                                var coroutine = spawn(thing, _ -> suspend());
                                if (i % 3 == 0) {
                                    coroutine.cancel();
                                }
                            }
                        });
        things.forEach(Thing::closedOnce);
    }
}
