package dev.heddle.scenarios;

import static dev.heddle.Heddle.current;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.Promise;
import dev.heddle.Scope;
import dev.heddle.event.Event;
import dev.heddle.event.EventHandle;
import dev.heddle.event.TimerEvent;
import dev.heddle.event.Trigger;
import dev.heddle.test.TestWorld;

/// What the loop is told from outside, brought to coroutines by promises.
final class Sources {
    private Sources() {}

    /// Waits until `event` fires, and takes the interest in it back whatever happens.
    static <T> void awaitOnce(Event<T> event) {
        Promise<Boolean> fired = Promise.external();
        var callback = event.subscribe((_, _) -> fired.complete(true));
        event.start();
        try {
            fired.deferred().await();
        } finally {
            event.stop();
            event.unsubscribe(callback);
        }
    }

    static final class TimerEventOnce extends Story {
        @Override
        public void run(TestWorld world) {
            try (var timer = new EventHandle<>(TimerEvent.once(current().loop(), ms(7)))) {
                awaitOnce(timer.event());
                say("" + world.elapsed().toMillis());
                awaitOnce(timer.event());
                say("" + world.elapsed().toMillis());
            }
        }

        @Override
        void expect() {
            assertEquals("[7, 14]", trail.toString());
        }
    }

    static final class TimerEventAgainAndAgain extends Story {
        private int ticks;

        @Override
        public void run(TestWorld world) {
            try (var timer = new EventHandle<>(TimerEvent.every(current().loop(), ms(2)))) {
                timer.event().subscribe((_, _) -> ticks++);
                timer.event().start();
                try {
                    delay(ms(9));
                } finally {
                    timer.event().stop();
                }
            }
            delay(ms(9));
        }

        @Override
        void expect() {
            assertEquals(4, ticks);
        }

        @Override
        public void verify() {
            assertTrue(ticks <= 4, ticks + " ticks: the timer was not stopped");
        }
    }

    static final class TriggerTellsAWaiter extends Story {
        private boolean changed;

        @Override
        public void run(TestWorld world) {
            try (var handle = new EventHandle<>(new Trigger(current().loop(), "changed"))) {
                // The handler may be called after the handle was closed.
                var bell = handle.event();
                Scope.run(
                        _ -> {
                            spawn(() -> busy(() -> delay(ms(2)))).onCompletion(_ -> change(bell));
                            while (!changed) {
                                awaitOnce(bell);
                            }
                            say("changed");
                        });
            }
        }

        private void change(Trigger bell) {
            changed = true;
            if (!bell.isDisposed()) {
                bell.fire();
            }
        }

        @Override
        void expect() {
            assertEquals("[changed]", trail.toString());
        }
    }

    static final class TimersOfTheLoop extends Story {
        @Override
        public void run(TestWorld world) {
            Promise<String> late = Promise.external();
            var first = current().loop().after(ms(3), () -> say("after"));
            var second = current().loop().every(ms(2), () -> say("every"));
            var third = current().loop().after(ms(7), () -> late.complete("late"));
            try {
                say(late.deferred().await());
            } finally {
                first.stop();
                second.stop();
                third.stop();
            }
        }

        @Override
        void expect() {
            assertEquals("[every, after, every, every, late]", trail.toString());
        }
    }
}
