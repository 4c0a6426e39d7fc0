package dev.heddle.scenarios;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.CancelTorture;
import dev.heddle.testing.Depth;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.function.Supplier;

/// Every story, cancelled at its suspension points in seven ways, leaves nothing, ends, and keeps
/// what it promises.
@Tag("CT-01")
@Timeout(value = 600, threadMode = ThreadMode.SEPARATE_THREAD)
class ScenarioTortureTest {
    private static final int SPARED_MAX = 10;

    private static int tried;

    static List<Named<Supplier<Story>>> stories() {
        return Library.mortal();
    }

    @ParameterizedTest
    @MethodSource("stories")
    void nothingIsLeftWhereverItIsCancelled(Supplier<Story> maker) {
        var torture = CancelTorture.of(maker).percent(Depth.of(25, 100));
        tried += torture.run();
        for (long seed = 1; seed <= Depth.of(3, 20); seed++) {
            tried += torture.seed(seed).run();
        }
    }

    @AfterAll
    static void print() {
        System.out.println(tried + " cancellations of scenarios");
    }

    @Test
    void fewStoriesAreSpared() {
        assertTrue(Library.SPARED.size() <= SPARED_MAX, Library.SPARED.toString());
    }
}
