package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.awaitAll;
import static dev.heddle.Heddle.mapEach;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.util.List;

/// What a coroutine gets from its spawner, of the things that the JDK binds to threads.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class InheritanceTest {
    private static final ScopedValue<String> USER = ScopedValue.newInstance();
    private static final ScopedValue<String> PLACE = ScopedValue.newInstance();

    private static String user() {
        return USER.orElse("nobody");
    }

    // ---- scoped values ----

    @HeddleTest(seeds = 20)
    void scopedValueOfTheSpawnerReachesTheChild() {
        ScopedValue.where(USER, "ann")
                .run(() -> assertEquals("ann", await(spawn(InheritanceTest::user))));
    }

    @HeddleTest(seeds = 20)
    void childHasTheBindingsOfTheMomentItWasSpawnedAlsoAfterTheSpawnerLeftThem() {
        var child = ScopedValue.where(USER, "ann").call(() -> spawn(InheritanceTest::user));
        assertFalse(USER.isBound());

        assertEquals("ann", await(child));
    }

    @HeddleTest(seeds = 20)
    void grandchildrenGetThemToo() {
        ScopedValue.where(USER, "ann")
                .run(
                        () -> {
                            var child = spawn(() -> await(spawn(InheritanceTest::user)));
                            assertEquals("ann", await(child));
                        });
    }

    @HeddleTest(seeds = 20)
    void rebindingInTheSpawnerReachesOnlyWhatIsSpawnedInsideIt() {
        ScopedValue.where(USER, "outer")
                .run(
                        () -> {
                            var inner =
                                    ScopedValue.where(USER, "inner")
                                            .where(PLACE, "here")
                                            .call(() -> spawn(() -> user() + PLACE.get()));
                            var outer = spawn(() -> user() + PLACE.isBound());
                            assertEquals("innerhere", await(inner));
                            assertEquals("outerfalse", await(outer));
                        });
    }

    @HeddleTest(seeds = 20)
    void rebindingInTheChildDoesNotReachTheSpawner() {
        ScopedValue.where(USER, "outer")
                .run(
                        () -> {
                            var child = spawn(InheritanceTest::rebound);
                            suspend();
                            assertEquals("outer", user());
                            assertEquals("childouter", await(child));
                        });
    }

    private static String rebound() {
        String inside =
                ScopedValue.where(USER, "child")
                        .call(
                                () -> {
                                    suspend();
                                    return user();
                                });
        return inside + user();
    }

    @HeddleTest(seeds = 20)
    void withoutBindingsTheChildHasNoneAlsoAfterOthersHadSome() {
        ScopedValue.where(USER, "ann").run(() -> spawn(InheritanceTest::user));

        assertEquals("nobody", await(spawn(InheritanceTest::user)));
    }

    @HeddleTest(seeds = 20)
    void childMayBindWhenItsSpawnerHasNothingBound() {
        assertEquals("childnobody", await(spawn(InheritanceTest::rebound)));
    }

    @HeddleTest(seeds = 20)
    void eachOfManyInterleavedCoroutinesKeepsItsOwn() {
        var names =
                mapEach(
                        List.of("a", "b", "c"),
                        3,
                        name ->
                                ScopedValue.where(USER, name)
                                        .call(
                                                () -> {
                                                    suspend();
                                                    return await(spawn(InheritanceTest::user));
                                                }));
        assertEquals(List.of("a", "b", "c"), names);
    }

    @Test
    void bindingsOfTheThreadThatRunsTheProgramReachMain() {
        var world = World.virtual();
        ScopedValue.where(USER, "thread")
                .run(
                        () ->
                                world.run(
                                        () -> {
                                            assertEquals("thread", user());
                                            assertEquals(
                                                    "thread", await(spawn(InheritanceTest::user)));
                                        }));
    }

    @HeddleTest(seeds = 20)
    void callbackSpawnsWithoutTheBindingsOfWhoeverRanLast() {
        var child = new Promise<Coroutine<String>>();
        ScopedValue.where(USER, "ann")
                .run(
                        () ->
                                Deferred.completed(1)
                                        .onFinally(
                                                () ->
                                                        child.complete(
                                                                spawn(InheritanceTest::user))));

        assertEquals("nobody", await(await(child.deferred())));
    }

    // ---- thread locals ----

    @Test
    void threadLocalIsTheCoroutinesOwnAndSurvivesSuspension() {
        var world = World.virtual();
        var local = new ThreadLocal<String>();
        world.run(
                () -> {
                    local.set("main");
                    var child =
                            spawn(
                                    () -> {
                                        assertNull(local.get());
                                        local.set("child");
                                        suspend();
                                        return local.get();
                                    });
                    suspend();

                    assertEquals("child", await(child));
                    assertEquals("main", local.get());
                });

        assertNull(local.get());
    }

    @HeddleTest(seeds = 20)
    void inheritableThreadLocalIsCopiedAtTheSpawn() {
        var local = new InheritableThreadLocal<String>();
        local.set("before");
        var child =
                spawn(
                        () -> {
                            String inherited = local.get();
                            local.set("child");
                            return inherited;
                        });
        local.set("after");

        assertEquals("before", await(child));
        assertEquals("after", local.get());
    }

    @HeddleTest(seeds = 20)
    void coroutineSeesNothingThatOnesBeforeItLeftInTheirThreads() {
        var local = new ThreadLocal<String>();
        var inheritable = new InheritableThreadLocal<String>();
        for (int i = 0; i < 20; i++) {
            await(
                    spawn(
                            () -> {
                                assertNull(local.get());
                                assertNull(inheritable.get());
                                assertFalse(USER.isBound());
                                local.set("left");
                                inheritable.set("left");
                            }));
        }
    }

    @HeddleTest(seeds = 20)
    void coroutineInheritsAlsoWhenThreadsOfOthersAreFree() {
        var inheritable = new InheritableThreadLocal<String>();
        awaitAll(spawn(() -> "free"), spawn(() -> "these threads"));
        inheritable.set("main");

        assertEquals("main", await(spawn(inheritable::get)));
        assertEquals(
                "ann",
                ScopedValue.where(USER, "ann").call(() -> await(spawn(InheritanceTest::user))));
        assertEquals("nobody", await(spawn(InheritanceTest::user)));
    }

    @HeddleTest(seeds = 20)
    void coroutineIsAVirtualThreadOfItsOwn() {
        var mine = Thread.currentThread();

        assertTrue(mine.isVirtual());
        assertTrue(await(spawn(() -> Thread.currentThread() != mine)));
        suspend();
        assertEquals(mine, Thread.currentThread());
    }
}
