import dev.heddle.loop.Loop;
import dev.heddle.loop.Timer;

int ticks;
Timer ticker;

/// Timers: once, again and again, and one that is stopped before it fires.
void main() throws IOException {
    try (var loop = Loop.open()) {
        ticker = loop.every(Duration.ofMillis(20), this::tick);
        loop.after(Duration.ofMillis(5), () -> IO.println("once, after 5 ms"));
        var never = loop.after(Duration.ofHours(1), () -> IO.println("never printed"));
        loop.after(Duration.ofMillis(10), never::stop);

        // Runs as long as something can happen; a repeating timer can until it is stopped.
        loop.run();
        IO.println("nothing is left to wait for");
    }
}

void tick() {
    ticks++;
    IO.println("tick " + ticks);
    if (ticks == 3) {
        ticker.stop();
    }
}
