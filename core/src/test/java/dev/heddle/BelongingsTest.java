package dev.heddle;

import static dev.heddle.Heddle.offload;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;

/// A worker has what its coroutine has around it, and nothing of it afterwards.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class BelongingsTest {
    private static final ScopedValue<String> USER = ScopedValue.newInstance();
    private static final ScopedValue<String> OTHER = ScopedValue.newInstance();
    private static final ContextKey<String> KEY = ContextKey.named("key");
    private static final ContextKey<String> FAR = ContextKey.named("far");

    @HeddleTest(seeds = 20)
    void scopedValuesOfTheCoroutineAreBoundOnTheWorker() {
        String seen =
                ScopedValue.where(USER, "ann")
                        .where(OTHER, "x")
                        .call(() -> offload(() -> USER.get() + OTHER.get()));

        assertEquals("annx", seen);
    }

    @Test
    void workerForgetsThemAfterwards() {
        try (var pool = Executors.newSingleThreadExecutor()) {
            World.real()
                    .run(
                            () -> {
                                String first =
                                        ScopedValue.where(USER, "ann")
                                                .call(() -> offload(pool, () -> USER.get()));
                                assertEquals("ann", first);
                                assertFalse(offload(pool, () -> USER.isBound()));
                                String second =
                                        ScopedValue.where(USER, "bob")
                                                .call(() -> offload(pool, () -> USER.get()));
                                assertEquals("bob", second);
                                assertEquals(Optional.empty(), offload(pool, () -> KEY.find()));
                            });
            assertFalse(pool.submit(() -> USER.isBound()).get());
            assertThrows(IllegalStateException.class, () -> get(pool.submit(() -> KEY.find())));
        } catch (InterruptedException | ExecutionException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static <T> T get(Future<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException thrown) {
            throw (IllegalStateException) thrown.getCause();
        }
    }

    @Test
    void bindingsOfTheWorkersOwnAreThereAgainAfterwards() {
        var own = new StringBuilder();
        try (var pool = Executors.newSingleThreadExecutor()) {
            Executor wrapping = job -> pool.execute(() -> inOwn(job, own));
            World.real()
                    .run(
                            () ->
                                    ScopedValue.where(USER, "ann")
                                            .run(
                                                    () ->
                                                            offload(
                                                                    wrapping,
                                                                    () -> own.append(USER.get()))));
        }
        assertEquals("annown", own.toString());
    }

    private static void inOwn(Runnable job, StringBuilder seen) {
        ScopedValue.where(USER, "own")
                .run(
                        () -> {
                            job.run();
                            seen.append(USER.get());
                        });
    }

    @HeddleTest(seeds = 20)
    void contextKeysAreFoundOnTheWorkerAsTheyWereWhenItWasHandedOver() {
        Scope.run(
                scope -> {
                    scope.set(FAR, "far").set(KEY, "hidden");
                    var child =
                            spawn(
                                    () -> {
                                        KEY.set("near");
                                        return offload(() -> KEY.get() + " " + FAR.get());
                                    });
                    Heddle.suspend();
                    scope.replace(FAR, "changed");
                    assertNotEquals("", child.await());
                    assertTrue(child.await().startsWith("near "), child.await());
                });
        assertEquals(Optional.empty(), offload(() -> KEY.find()));
    }

    @HeddleTest
    void contextCannotBeChangedFromAWorker() {
        assertThrows(IllegalStateException.class, () -> offload(() -> KEY.set("x")));
    }

    @Test
    void contextClassLoaderGoesAlongAndTheWorkersOwnComesBack() throws Exception {
        var mine = new ClassLoader("mine", null) {};
        try (var pool = Executors.newSingleThreadExecutor()) {
            var before = pool.submit(() -> Thread.currentThread().getContextClassLoader()).get();
            World.real()
                    .run(
                            () -> {
                                Thread.currentThread().setContextClassLoader(mine);
                                assertSame(
                                        mine,
                                        offload(
                                                pool,
                                                () ->
                                                        Thread.currentThread()
                                                                .getContextClassLoader()));
                            });
            assertSame(
                    before,
                    pool.submit(() -> Thread.currentThread().getContextClassLoader()).get());
        }
    }

    @Test
    void chosenPoolRunsTheBodyAndItsRefusalIsThrown() {
        var pool = Executors.newSingleThreadExecutor(Thread.ofPlatform().name("chosen").factory());
        World.real()
                .run(
                        () -> {
                            assertEquals(
                                    "chosen",
                                    offload(pool, () -> Thread.currentThread().getName()));
                            pool.close();
                            assertThrows(
                                    RejectedExecutionException.class,
                                    () -> offload(pool, () -> {}));
                        });
    }
}
