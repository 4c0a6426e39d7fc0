package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.SimReactor;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// What another thread posts while the loop is on its way to sleep.
///
/// The way is long: the loop looks, reads the clock, says that it sleeps, and sleeps. The clock is
/// ours here, and lets the other thread in at one of its readings, one after another.
final class LoopSleepTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final long NEVER = -1;

    @Test
    void whatIsPostedBetweenTheLastLookAndTheSleepIsNotLost() throws IOException {
        int beforeTheSleep = 0;
        int reading = 1;
        for (var story = new Story(1); story.run(); story = new Story(++reading)) {
            assertEquals(story.postedAt, story.ranAt.get(), "posted at reading " + reading);
            beforeTheSleep += story.postedAt == 0 ? 1 : 0;
        }
        assertTrue(beforeTheSleep > 0, "the clock is not read any more on the way to sleep");
    }

    /// A loop that sleeps for an hour, and a post when its clock is read for the nth time.
    private static final class Story {
        private final SimReactor kernel = new SimReactor();
        private final int reading;
        private final AtomicLong ranAt = new AtomicLong(NEVER);
        private long postedAt = NEVER;
        private int readings;
        private Runnable atReading = () -> {};

        Story(int reading) {
            this.reading = reading;
        }

        /// {@return whether the clock was read so often}
        boolean run() throws IOException {
            try (var loop = Loop.open(LoopOptions.defaults().reactor(kernel, this::nanos))) {
                loop.after(HOUR, () -> {});
                atReading = () -> postAtLast(loop);
                loop.run();
            }
            return postedAt != NEVER;
        }

        private long nanos() {
            atReading.run();
            return kernel.nanos();
        }

        private void postAtLast(Loop loop) {
            if (++readings == reading) {
                postedAt = kernel.nanos();
                var poster =
                        Thread.ofPlatform().start(() -> loop.post(() -> ranAt.set(kernel.nanos())));
                try {
                    poster.join();
                } catch (InterruptedException late) {
                    throw new AssertionError(late);
                }
            }
        }
    }
}
