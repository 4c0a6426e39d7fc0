package dev.heddle.scenarios;

import static dev.heddle.Heddle.deadline;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.within;
import static dev.heddle.Heddle.withinOrElse;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.Deadline;
import dev.heddle.OperationCancelledException;
import dev.heddle.Scope;
import dev.heddle.test.TestWorld;

import java.time.Duration;
import java.util.function.Supplier;

/// Limits that are seen, moved, and have something to fall back on.
final class Deadlines {
    private Deadlines() {}

    private static long left() {
        return deadline().map(Deadline::remaining).orElse(Duration.ZERO).toMillis();
    }

    static final class ExtendedWhileThereIsProgress extends Story {
        @Override
        public void run(TestWorld world) {
            try {
                within(
                        ms(3),
                        () -> {
                            for (int i = 0; i < 4; i++) {
                                busy(() -> delay(ms(2)));
                                say(left() + (deadline().orElseThrow().moveTo(ms(3)) ? "" : "!"));
                            }
                            delay(ms(9));
                        });
            } catch (OperationCancelledException late) {
                say("late at " + world.elapsed().toMillis());
            }
        }

        @Override
        void expect() {
            assertEquals("[1, 1, 1, 1, late at 11]", trail.toString());
        }
    }

    static final class ChildrenShareTheDeadlineOfTheirBlock extends Story {
        @Override
        public void run(TestWorld world) {
            withinOrElse(
                    ms(5),
                    () ->
                            Scope.run(
                                    _ -> {
                                        spawn(() -> busy(() -> delay(ms(9))));
                                        delay(ms(1));
                                        say("" + spawn(Deadlines::left).await());
                                        delay(ms(1));
                                        deadline().ifPresent(each -> each.moveTo(ms(1)));
                                    }),
                    () -> say("over at " + world.elapsed().toMillis()));
        }

        @Override
        void expect() {
            assertEquals("[4, over at 3]", trail.toString());
        }
    }

    static final class OneAfterTheOtherUntilOneIsQuick extends Story {
        @Override
        public void run(TestWorld world) {
            say(attempt(9, () -> attempt(8, () -> attempt(1, () -> "none"))));
            say(withinOrElse(ms(1), () -> "at once", () -> "never"));
            say("at " + world.elapsed().toMillis());
        }

        private String attempt(int millis, Supplier<String> next) {
            return withinOrElse(
                    ms(2),
                    () -> {
                        busy(() -> delay(ms(millis)));
                        return "after " + millis;
                    },
                    () -> next.get());
        }

        @Override
        void expect() {
            assertEquals("[after 1, at once, at 5]", trail.toString());
        }
    }

    static final class MovesOnAfterAWhile extends Story {
        @Override
        public void run(TestWorld world) {
            for (int millis : new int[] {1, 3}) {
                withinOrElse(
                        ms(2),
                        () -> busy(() -> delay(ms(millis))),
                        () -> say("gave up on " + millis));
            }
            say(withinOrElse(ms(2), () -> "value", () -> "none"));
        }

        @Override
        void expect() {
            assertEquals("[gave up on 3, value]", trail.toString());
        }
    }
}
