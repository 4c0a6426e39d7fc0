package dev.heddle.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Random scripts, whose callbacks subscribe, unsubscribe, fire, end and dispose, played on an
/// event and on a model that is a plain list: both must call the same callbacks in the same order.
final class EventModelTest extends EventTestCase {
    private static final int SCRIPTS = 2000;
    private static final int CALLBACKS = 6;
    private static final int STEPS = 120;

    EventModelTest() {
        super(Backend.SIM);
    }

    @Test
    void anEventDoesWhatAPlainListWouldDo() {
        long seed = Long.getLong("heddle.seed", System.nanoTime());
        System.out.println("seed " + seed);
        for (int i = 0; i < SCRIPTS; i++) {
            long own = seed + i;
            var expected = new Model().play(new Random(own));
            assertEquals(expected, new Real().play(new Random(own)), "seed " + own);
        }
    }

    /// What a script may do, and the script.
    private abstract static class Stage {
        final List<String> trail = new ArrayList<>();
        private Random random;
        private int stepsLeft = STEPS;

        List<String> play(Random newRandom) {
            random = newRandom;
            while (stepsLeft > 0) {
                step();
            }
            return trail;
        }

        abstract boolean isSubscribed(int who);

        abstract void subscribe(int who);

        abstract void unsubscribe(int who);

        abstract void fire(int value);

        abstract void end(int value);

        abstract void dispose();

        abstract boolean isClosed();

        final void called(int who, String value) {
            trail.add(who + ":" + value);
            for (int count = random.nextInt(4); count > 0 && stepsLeft > 0; count--) {
                step();
            }
        }

        private void step() {
            stepsLeft--;
            int who = random.nextInt(CALLBACKS);
            switch (random.nextInt(16)) {
                case 0, 1, 2, 3, 4 -> {
                    if (!isSubscribed(who)) {
                        subscribe(who);
                    }
                }
                case 5, 6, 7, 8 -> unsubscribe(who);
                case 9, 10, 11, 12, 13 -> {
                    if (!isClosed()) {
                        fire(stepsLeft);
                    }
                }
                case 14 -> {
                    if (!isClosed() && stepsLeft < STEPS / 2) {
                        end(stepsLeft);
                    }
                }
                default -> {
                    if (random.nextInt(10) == 0) {
                        dispose();
                    }
                }
            }
        }
    }

    private final class Real extends Stage {
        private final Probe event = Probe.remembering(loop, "real");
        private final List<Callback<String>> callbacks = new ArrayList<>();

        Real() {
            for (int i = 0; i < CALLBACKS; i++) {
                callbacks.add(new Acting(this, i));
            }
        }

        @Override
        boolean isSubscribed(int who) {
            return callbacks.get(who).isSubscribed();
        }

        @Override
        void subscribe(int who) {
            try {
                event.subscribe(callbacks.get(who));
            } catch (IllegalStateException refused) {
                trail.add(who + " refused");
            }
        }

        @Override
        void unsubscribe(int who) {
            trail.add(who + " left " + event.unsubscribe(callbacks.get(who)));
        }

        @Override
        void fire(int value) {
            event.happen("" + value);
        }

        @Override
        void end(int value) {
            event.end("" + value);
        }

        @Override
        void dispose() {
            event.dispose();
        }

        @Override
        boolean isClosed() {
            return event.is(Event.CLOSED);
        }
    }

    private static final class Acting extends Callback<String> {
        private final Stage stage;
        private final int number;

        Acting(Stage stage, int number) {
            this.stage = stage;
            this.number = number;
        }

        @Override
        protected void onEvent(Event<? extends String> source, String value, Throwable error) {
            stage.called(number, value);
        }

        @Override
        protected void onDispose(Event<?> source) {
            stage.trail.add(number + " gone");
        }
    }

    /// The rules, in the simplest form.
    private static final class Model extends Stage {
        /// One stay of one callback.
        private static final class Stay {
            final int who;
            boolean over;

            Stay(int who) {
                this.who = who;
            }
        }

        private final List<Stay> stays = new ArrayList<>();
        private final ArrayDeque<Integer> waiting = new ArrayDeque<>();
        private boolean inRound;
        private boolean closed;
        private boolean disposed;
        private String outcome;

        @Override
        boolean isSubscribed(int who) {
            return stays.stream().anyMatch(stay -> stay.who == who);
        }

        @Override
        void subscribe(int who) {
            if (!closed) {
                stays.add(new Stay(who));
            } else if (outcome != null) {
                called(who, outcome);
            } else {
                trail.add(who + " refused");
            }
        }

        @Override
        void unsubscribe(int who) {
            boolean left = false;
            for (var stay : List.copyOf(stays)) {
                if (stay.who == who) {
                    leave(stay);
                    left = true;
                }
            }
            trail.add(who + " left " + left);
        }

        @Override
        void fire(int value) {
            if (inRound) {
                waiting.add(value);
                return;
            }
            inRound = true;
            round(value);
            while (!waiting.isEmpty()) {
                round(waiting.remove());
            }
            inRound = false;
        }

        @Override
        void end(int value) {
            outcome = "" + value;
            closed = true;
            fire(value);
        }

        @Override
        void dispose() {
            if (!disposed) {
                disposed = true;
                closed = true;
                waiting.clear();
                for (var stay : List.copyOf(stays)) {
                    leave(stay);
                    trail.add(stay.who + " gone");
                }
            }
        }

        @Override
        boolean isClosed() {
            return closed;
        }

        private void round(int value) {
            boolean isLast = closed && waiting.isEmpty();
            for (var stay : List.copyOf(stays)) {
                if (!stay.over) {
                    if (isLast) {
                        leave(stay);
                    }
                    called(stay.who, "" + value);
                }
            }
        }

        private void leave(Stay stay) {
            stay.over = true;
            stays.remove(stay);
        }
    }
}
