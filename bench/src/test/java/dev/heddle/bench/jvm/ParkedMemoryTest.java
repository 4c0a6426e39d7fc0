package dev.heddle.bench.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

final class ParkedMemoryTest {
    private static final int COUNT = 20_000;
    private static final int EACH = 1000;

    /// Held while somebody looks, garbage before and after.
    private List<byte[]> held = new ArrayList<>();

    @Test
    void heapIsWhatEachHoldsWhileItIsParked() throws Exception {
        try (var memory = ParkedMemory.heap(this::hold, COUNT)) {
            var sample = memory.round(Duration.ZERO);

            // An array has a header, and the list a reference to it. What else this JVM does is
            // divided by many.
            assertThat(sample.value()).isBetween(0.9 * EACH, 1.2 * EACH);
            assertThat(sample.operations()).isEqualTo(COUNT);
            assertThat(sample.cpu()).isNaN();
        }
    }

    private void hold(int count, Runnable whileParked) {
        for (int i = 0; i < count; i++) {
            held.add(new byte[EACH]);
        }
        whileParked.run();
        held = new ArrayList<>();
    }
}
