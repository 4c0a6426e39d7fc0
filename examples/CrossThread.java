import dev.heddle.loop.Async;
import dev.heddle.loop.Loop;

final AtomicInteger progress = new AtomicInteger();

// No locks: only the loop's thread touches these.
int sum;
int seen;

/// Other threads reach the loop in two ways: by a task each time (post), or by a bell (async) whose
/// rings are merged as long as the loop has not looked.
void main() throws IOException {
    try (var loop = Loop.open()) {
        var bell = loop.async(() -> seen = progress.get());
        Thread.ofPlatform().start(() -> work(loop, bell));
        loop.run(); // the bell keeps it running, until it is closed
    }
    IO.println("a task each: the sum is " + sum);
    IO.println("a bell: the newest number is " + seen);
}

void work(Loop loop, Async bell) {
    for (int i = 1; i <= 1000; i++) {
        int number = i;
        loop.post(() -> sum += number);
        progress.set(number);
        bell.send();
    }
    loop.post(bell::close); // after everything that this thread posted before
}
