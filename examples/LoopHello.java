import dev.heddle.loop.Loop;

/// Says hello from a timer on the event loop, and which backend of the kernel the loop waits with.
void main() throws IOException {
    try (var loop = Loop.open()) {
        loop.after(Duration.ofMillis(10), () -> IO.println("Hello from the loop!"));
        loop.run();
        IO.println("It waited with " + loop.backend().label() + ".");
    }
}
