package dev.heddle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;

/// A resource that writes down what becomes of it.
///
/// **Thread:** owner (the test, and its coroutines).
final class Thing implements AutoCloseable {
    private final List<String> trail;
    private final VoidOp<IOException> closing;
    int closes;

    Thing(List<String> trail, VoidOp<IOException> closing) {
        this.trail = trail;
        this.closing = closing;
    }

    Thing(List<String> trail) {
        this(trail, () -> {});
    }

    @Override
    public void close() throws IOException {
        closes++;
        trail.add("close");
        closing.run();
        trail.add("closed");
    }

    void closedOnce() {
        assertEquals(1, closes);
    }
}
