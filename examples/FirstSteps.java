import dev.heddle.loop.Loop;

/// A task, work on another thread, and a timer.
void main() throws IOException {
    try (var loop = Loop.open()) {
        loop.post(() -> IO.println("a task, on the loop"));
        loop.submit(
                () -> 6 * 7, // on a worker thread: it may compute, or block
                (answer, _) -> { // back on the loop
                    IO.println("a worker says " + answer);
                    loop.after(Duration.ofMillis(50), () -> IO.println("a timer, 50 ms later"));
                });
        loop.run(); // until nothing is left that could happen
    }
}
