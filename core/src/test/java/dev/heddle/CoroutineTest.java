package dev.heddle;

import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.util.List;

/// The order in which coroutines run.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class CoroutineTest {
    private final World world = World.virtual();

    @Test
    void bodiesStartWhenTheSpawnerEndsInTheOrderTheyWereSpawned() {
        world.run(
                () -> {
                    world.say("start");
                    for (int i = 1; i <= 3; i++) {
                        String line = String.valueOf(i);
                        Heddle.spawn(() -> world.say(line));
                    }
                    world.say("end");
                });

        assertEquals(List.of("start", "end", "1", "2", "3"), world.trail);
    }

    @Test
    void suspendGoesToTheEndOfTheLine() {
        world.run(
                () -> {
                    Heddle.spawn(() -> turns("A", 3));
                    Heddle.spawn(() -> turns("B", 2));
                    Heddle.spawn(() -> turns("C", 1));
                });

        assertEquals(List.of("A1", "B1", "C1", "A2", "B2", "A3"), world.trail);
    }

    private void turns(String name, int count) {
        for (int i = 1; i <= count; i++) {
            world.say(name + i);
            if (i < count) {
                suspend();
            }
        }
    }
}
