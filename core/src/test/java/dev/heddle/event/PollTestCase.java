package dev.heddle.event;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Interest;

/// The words in which claims about descriptors are written.
///
/// **Thread:** owner (the test runner).
abstract class PollTestCase extends EventTestCase {
    static final int NONE = Interest.NONE;
    static final int READ = Interest.READ;
    static final int WRITE = Interest.WRITE;
    static final int PRIORITY = Interest.PRIORITY;
    static final int LEVEL = Interest.LEVEL;

    PollTestCase(Backend backend) {
        super(backend);
    }

    /// {@return a callback that writes down what is ready, as `name:BITS`}
    final Callback<Integer> bits(String name) {
        return new Callback<>() {
            @Override
            protected void onEvent(
                    Event<? extends Integer> source, Integer ready, Throwable error) {
                trail.add(name + ":" + Interest.describe(ready));
            }

            @Override
            protected void onDispose(Event<?> source) {
                trail.add(name + " gone");
            }
        };
    }

    /// {@return what the loop's one watch asks the reactor for}
    final String asked() {
        var seen = new StringBuilder();
        loop.walk(source -> seen.append(source));
        return seen.toString();
    }
}
