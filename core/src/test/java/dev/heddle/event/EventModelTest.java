package dev.heddle.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.reactor.Backend;
import dev.heddle.test.Choices;
import dev.heddle.test.Property;
import dev.heddle.testing.Depth;

import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Random scripts, whose callbacks subscribe, unsubscribe, fire, end and dispose, played on an
/// event and on a model that is a plain list: both must call the same callbacks in the same order.
final class EventModelTest extends EventTestCase {
    private static final int SCRIPTS = 2000;
    private static final int CALLBACKS = 6;
    private static final int STEPS = 80;

    EventModelTest() {
        super(Backend.SIM);
    }

    @Test
    void anEventDoesWhatAPlainListWouldDo() {
        Property.named("an event does what a plain list would do")
                .tries(Depth.of(SCRIPTS, 100 * SCRIPTS))
                .check(
                        choices -> {
                            var script = choices.listOf(0, STEPS, EventModelTest::step);
                            assertEquals(new Model().play(script), new Real().play(script));
                        });
    }

    private enum What {
        UNSUBSCRIBE(4),
        SUBSCRIBE(5),
        FIRE(5),
        END(1),
        DISPOSE(1);

        private final int weight;

        What(int weight) {
            this.weight = weight;
        }
    }

    /// @param inside whether a callback takes this step, when one is being called
    private record Step(What what, int who, boolean inside) {}

    private static Step step(Choices choices) {
        int[] weights = Arrays.stream(What.values()).mapToInt(each -> each.weight).toArray();
        return new Step(
                What.values()[choices.weighted(weights)],
                choices.intBetween(0, CALLBACKS - 1),
                choices.chance(0.6));
    }

    /// What a script may do, and the script.
    private abstract static class Stage {
        final List<String> trail = new ArrayList<>();
        private final ArrayDeque<Step> left = new ArrayDeque<>();

        List<String> play(List<Step> script) {
            left.addAll(script);
            while (!left.isEmpty()) {
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
            while (!left.isEmpty() && left.getFirst().inside()) {
                step();
            }
        }

        private void step() {
            var step = left.removeFirst();
            int value = left.size();
            switch (step.what()) {
                case UNSUBSCRIBE -> unsubscribe(step.who());
                case SUBSCRIBE -> {
                    if (!isSubscribed(step.who())) {
                        subscribe(step.who());
                    }
                }
                case FIRE -> {
                    if (!isClosed()) {
                        fire(value);
                    }
                }
                case END -> {
                    if (!isClosed() && value < STEPS / 4) {
                        end(value);
                    }
                }
                case DISPOSE -> {
                    if (value < STEPS / 4) {
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
