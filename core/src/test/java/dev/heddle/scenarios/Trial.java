package dev.heddle.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.test.Scenario;
import dev.heddle.test.Schedule;
import dev.heddle.test.Simulation;
import dev.heddle.test.TestWorld;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.function.Supplier;

/// One undisturbed run of a story under a seed, and all of its checks.
///
/// **Thread:** owner (the test).
record Trial(Supplier<Story> maker, Schedule schedule, long seed) {
    /// {@return the hash of its trace}
    ///
    /// @throws AssertionError which names the story and the seed
    long run() {
        var story = maker.get();
        try {
            long hash = hashOf(story);
            story.expect();
            story.verify();
            return hash;
        } catch (Throwable failure) {
            throw new AssertionError(
                    Library.nameOf(story.getClass())
                            + " under "
                            + schedule
                            + ", seed "
                            + seed
                            + ": "
                            + failure,
                    failure);
        }
    }

    private long hashOf(Story story) {
        var trace = new Hash();
        Class<?> ended = Void.class;
        try {
            Simulation.create().schedule(schedule).seed(seed).run(trace.around(story));
        } catch (Throwable thrown) {
            if (!story.endsBy().isInstance(thrown)) {
                throw thrown;
            }
            ended = story.endsBy();
        }
        assertEquals(story.endsBy(), ended, "what it ends by");
        return trace.value();
    }

    /// The trace hash of a run, also of one that throws.
    private static final class Hash {
        private @Nullable TestWorld world;

        Scenario around(Story story) {
            return here -> {
                world = here;
                story.run(here);
            };
        }

        long value() {
            return Objects.requireNonNull(world).traceHash();
        }
    }
}
