package dev.heddle.scenarios;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.race;
import static dev.heddle.Heddle.raceFirstSuccess;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.Cancellation;
import dev.heddle.CompositeException;
import dev.heddle.Op;
import dev.heddle.Scope;
import dev.heddle.test.TestWorld;

import java.util.List;

/// Several at once, of which one decides.
final class Racing {
    private Racing() {}

    /// A story whose bodies take some milliseconds and open something that must be closed.
    private abstract static class OfOpeners extends Story {
        private int opened;
        private int closed;

        final Op<String, RuntimeException> after(int millis, String value) {
            return () -> {
                busy(() -> delay(ms(millis)));
                return value;
            };
        }

        final Op<String, RuntimeException> failing(int millis) {
            return () -> {
                busy(() -> delay(ms(millis)));
                throw new Planned("after " + millis);
            };
        }

        /// Is done in spite of its cancellation.
        final Op<String, RuntimeException> opening(int millis) {
            return () -> {
                try {
                    busy(() -> delay(ms(millis)));
                } catch (Cancellation swallowed) {
                    opened++;
                    return "opened";
                }
                opened++;
                return "opened";
            };
        }

        final String orFailure(Op<String, RuntimeException> race) {
            try {
                return race.call();
            } catch (CompositeException all) {
                return all.errors().size() + " failed";
            } catch (Planned first) {
                return String.valueOf(first.getMessage());
            }
        }

        final void close(String value) {
            closed += value.equals("opened") ? 1 : 0;
        }

        /// Takes what a race returns, and closes it.
        final void use(String value) {
            say(value);
            close(value);
        }

        @Override
        public void verify() throws Throwable {
            super.verify();
            assertEquals(opened, closed, "opened and closed");
        }
    }

    static final class FirstEndDecides extends OfOpeners {
        @Override
        public void run(TestWorld world) {
            say(orFailure(() -> race(after(3, "slow"), after(1, "quick"), failing(2))));
            say(orFailure(() -> race(List.of(after(3, "slow"), failing(1)))));
            use(race(List.of(opening(2), opening(3), after(1, "winner")), this::close));
            say("at " + world.elapsed().toMillis());
        }

        @Override
        void expect() {
            assertEquals("[quick, after 1, winner, at 3]", trail.toString());
        }
    }

    static final class FirstSuccessDecides extends OfOpeners {
        @Override
        public void run(TestWorld world) {
            say(orFailure(() -> raceFirstSuccess(failing(1), after(2, "good"), after(3, "late"))));
            say(orFailure(() -> raceFirstSuccess(List.of(failing(1), failing(2)))));
            use(raceFirstSuccess(List.of(failing(1), opening(3), opening(2)), this::close));
            say("at " + world.elapsed().toMillis());
        }

        @Override
        void expect() {
            assertEquals("[good, 2 failed, opened, at 6]", trail.toString());
        }
    }

    static final class RacesInARace extends OfOpeners {
        @Override
        public void run(TestWorld world) {
            Scope.run(
                    _ -> {
                        var first = spawn(() -> race(List.of(inner(5), inner(2)), this::close));
                        var second = spawn(() -> race(() -> race(List.of(inner(1))), inner(9)));
                        use(first.await());
                        use(second.await());
                    });
        }

        private Op<String, RuntimeException> inner(int millis) {
            return () -> race(after(millis, "inner " + millis), after(20, "outer"));
        }

        @Override
        void expect() {
            assertEquals("[inner 2, inner 1]", trail.toString());
        }
    }

    static final class SuccessesInARace extends OfOpeners {
        @Override
        public void run(TestWorld world) {
            use(
                    race(
                            List.of(
                                    () -> raceFirstSuccess(after(9, "nine"), after(4, "four")),
                                    () ->
                                            raceFirstSuccess(
                                                    List.of(after(9, "nine"), opening(3)),
                                                    this::close)),
                            this::close));
            say(raceFirstSuccess(List.of(after(1, "one"))));
        }

        @Override
        void expect() {
            assertEquals("[opened, one]", trail.toString());
        }
    }
}
