package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.util.NoSuchElementException;
import java.util.Optional;

/// Where a coroutine finds what a key is bound to.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class ContextTest {
    private static final ContextKey<String> USER = ContextKey.named("user");

    @HeddleTest(seeds = 20)
    void valueBoundInAScopeIsFoundByItsCoroutinesAndThoseBelow() {
        Scope.run(
                scope -> {
                    scope.set(USER, "ann");
                    assertEquals("ann", await(spawn(USER::get)));
                    String below = Scope.call(_ -> Scope.call(_ -> await(spawn(USER::get))));
                    assertEquals("ann", below);
                });
    }

    @HeddleTest(seeds = 20)
    void valueBoundInTheScopeOfMainIsFoundEverywhere() {
        Scope.current().set(USER, "root");

        assertEquals("root", USER.get());
        assertEquals("root", await(spawn(USER::get)));
        try (var own = new Scope()) {
            assertEquals("root", await(own.spawn(USER::get)));
        }
    }

    @HeddleTest(seeds = 20)
    void valueBoundAfterTheSpawnIsFoundToo() {
        Scope.run(
                scope -> {
                    var child = spawn(USER::get);
                    scope.set(USER, "late");

                    assertEquals("late", await(child));
                });
    }

    @HeddleTest(seeds = 20)
    void scopesThatBindNothingAreSkipped() {
        Scope.run(
                top -> {
                    top.set(USER, "top");
                    try (var middle = Scope.inherit(top);
                            var bottom = Scope.inherit(middle)) {
                        assertEquals("top", await(bottom.spawn(USER::get)));
                    }
                });
    }

    @HeddleTest(seeds = 20)
    void nearestBindingWinsAndTheOthersStayAsTheyAre() {
        Scope.run(
                outer -> {
                    outer.set(USER, "outer");
                    Scope.run(
                            inner -> {
                                inner.set(USER, "inner");
                                var own =
                                        spawn(
                                                () -> {
                                                    USER.set("own");
                                                    return USER.get();
                                                });
                                assertEquals("own", await(own));
                                assertEquals("inner", await(spawn(USER::get)));
                            });
                    assertEquals("outer", USER.get());
                });
    }

    @HeddleTest(seeds = 20)
    void bindingOfACoroutineIsItsOwnAndNotItsChildrens() {
        USER.set("main");

        assertEquals(Optional.of("main"), USER.find());
        assertEquals(Optional.empty(), await(spawn(USER::find)));
    }

    @HeddleTest(seeds = 20)
    void bindingOfACoroutineStaysAcrossSuspensions() {
        USER.set("main");
        spawn(() -> USER.set("other"));
        suspend();

        assertEquals("main", USER.get());
    }

    @HeddleTest
    void insideScopeRunTheHostSeesWhatTheScopeBindsAndAfterwardsNoMore() {
        Scope.run(
                scope -> {
                    scope.set(USER, "inside");
                    assertEquals("inside", USER.get());
                });
        assertEquals(Optional.empty(), USER.find());
    }

    @HeddleTest(seeds = 20)
    void scopeOfItsOwnDoesNotSeeWhatTheSpawnersScopeBinds() {
        Scope.run(
                scope -> {
                    scope.set(USER, "ann");
                    try (var own = new Scope()) {
                        assertEquals(Optional.empty(), await(own.spawn(USER::find)));
                    }
                });
    }

    @HeddleTest
    void keysAreTheSameOnlyIfTheyAreTheSameObject() {
        ContextKey<String> twin = ContextKey.named("user");
        USER.set("one");
        twin.set("two");

        assertEquals("one", USER.get());
        assertEquals("two", twin.get());
    }

    @HeddleTest
    void missingKeyIsEmptyOrAnErrorThatNamesIt() {
        assertEquals(Optional.empty(), USER.find());
        assertEquals(Optional.empty(), USER.findLocal());
        var thrown = assertThrows(NoSuchElementException.class, USER::get);
        assertEquals("not bound here: ContextKey(user)", thrown.getMessage());
    }

    @HeddleTest
    void localLookUpSeesOnlyTheCoroutinesOwn() {
        Scope.current().set(USER, "scope");
        assertEquals(Optional.empty(), USER.findLocal());

        USER.set("own");
        assertEquals(Optional.of("own"), USER.findLocal());
    }

    @HeddleTest(seeds = 20)
    void settingTwiceInOnePlaceIsAnErrorAndKeepsTheFirst() {
        USER.set("first");
        var own = assertThrows(IllegalStateException.class, () -> USER.set("second"));
        assertTrue(
                own.getMessage().contains("ContextKey(user)") && own.getMessage().contains("first"),
                own.getMessage());
        assertEquals("first", USER.get());

        Scope.run(
                scope -> {
                    scope.set(USER, "first");
                    assertThrows(IllegalStateException.class, () -> scope.set(USER, "second"));
                    assertEquals("first", await(spawn(USER::get)));
                });
    }

    @HeddleTest(seeds = 20)
    void replacingIsAllowedWhetherOrNotItWasBound() {
        USER.replace("first");
        USER.replace("second");
        assertEquals("second", USER.get());

        Scope.run(
                scope -> {
                    scope.replace(USER, "a").replace(USER, "b");
                    assertEquals("b", await(spawn(USER::get)));
                });
    }

    @HeddleTest
    void nullsAreRefusedAndBindNothing() {
        assertThrows(NullPointerException.class, () -> USER.set(null));
        assertThrows(NullPointerException.class, () -> USER.replace(null));
        assertThrows(NullPointerException.class, () -> Scope.current().set(null, "x"));
        assertThrows(NullPointerException.class, () -> Scope.current().set(USER, null));
        assertThrows(NullPointerException.class, () -> ContextKey.named(null));
        assertEquals(Optional.empty(), USER.find());
    }

    @Test
    void outsideACoroutineEveryUseOfAKeySaysSo() {
        for (var use :
                new Runnable[] {
                    USER::find,
                    USER::get,
                    USER::findLocal,
                    () -> USER.set("x"),
                    () -> USER.replace("x")
                }) {
            var thrown = assertThrows(IllegalStateException.class, use::run);
            assertTrue(thrown.getMessage().contains("outside a coroutine"), thrown.getMessage());
        }
    }
}
