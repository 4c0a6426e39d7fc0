package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/// What messages call a coroutine that was given no name.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class CoroutineNameTest {
    private final World world = World.virtual();

    @Test
    void bodyWithResultIsCalledAfterTheClassItWasWrittenIn() {
        world.run(
                () -> {
                    var coroutine = spawn(() -> 5);
                    assertEquals("CoroutineNameTest", coroutine.spawnedAt());
                    assertEquals("coroutine 2 of CoroutineNameTest", coroutine.name());
                    await(coroutine);
                });
    }

    @Test
    void bodyWithoutResultIsCalledAfterTheClassItWasWrittenIn() {
        world.run(
                () -> {
                    var coroutine = spawn(() -> suspend());
                    assertEquals("CoroutineNameTest", coroutine.spawnedAt());
                    assertEquals("coroutine 2 of CoroutineNameTest", coroutine.name());
                    await(coroutine);
                });
    }

    @Test
    void mainIsCalledSoAndComesFromTheProgram() {
        world.run(() -> assertIsMain(Heddle.current()));
        int five =
                World.virtual()
                        .call(
                                () -> {
                                    assertIsMain(Heddle.current());
                                    return 5;
                                });
        assertEquals(5, five);
    }

    private static void assertIsMain(Coroutine<?> coroutine) {
        assertEquals("main", coroutine.name());
        assertEquals("CoroutineNameTest", coroutine.spawnedAt());
    }
}
