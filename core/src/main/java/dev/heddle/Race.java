package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/// Several bodies at once, of which one decides; the others are cancelled and waited for.
///
/// Each body is a child of one structured scope, in a block of its own. The child that decides
/// keeps its end here instead of failing, and cancels the others at that moment, before any of them
/// runs again. What a loser throws while it is cancelled is a failure like any other in a scope:
/// nobody observes it, so the scope throws it.
///
/// **Thread:** loop (a coroutine).
final class Race<T> {
    /// Which end decides.
    enum Goal {
        END,
        SUCCESS
    }

    private final Goal goal;
    private final Consumer<? super T> discard;
    private final List<Coroutine<?>> entrants = new ArrayList<>();

    // Those who failed without being told of a cancellation, and decided nothing.
    private final List<Coroutine<?>> passedOver = new ArrayList<>(0);
    private @Nullable Outcome<T> decision;

    private Race(Goal goal, Consumer<? super T> discard) {
        this.goal = goal;
        this.discard = discard;
    }

    /// @param discard gets values that nobody receives
    static <T, X extends Exception> T run(
            Goal goal, Collection<? extends Op<? extends T, X>> bodies, Consumer<? super T> discard)
            throws X {
        var all = checked(bodies);
        var race = new Race<T>(goal, Objects.requireNonNull(discard, "discard"));
        try {
            Scope.run(scope -> race.begin(scope, all));
        } catch (Throwable cut) {
            throw Structured.<X>asDeclared(race.cutOffBy(cut));
        }
        return race.<X>result();
    }

    private static <O> List<O> checked(Collection<? extends O> bodies) {
        var list = new ArrayList<O>(Objects.requireNonNull(bodies, "bodies"));
        if (list.isEmpty()) {
            throw new IllegalArgumentException("race of nothing: it could never return");
        }
        for (int i = 0; i < list.size(); i++) {
            int at = i;
            Objects.requireNonNull(list.get(i), () -> "body at position " + at);
        }
        return list;
    }

    // None begins before all are there: they run when the spawner suspends.
    private void begin(Scope scope, List<? extends Callable<? extends T>> bodies) {
        for (var body : bodies) {
            entrants.add(scope.spawn(new Entrant(body)));
        }
    }

    private void ended(Outcome<T> end) {
        decision = end;
        for (var each : entrants) {
            each.requestCancel("lost the race");
        }
    }

    // One that somebody cancels, be it the race's own scope, only drops out.
    private boolean decidesByFailing(Coroutine<?> self) {
        return decision == null && goal == Goal.END && self.request() == null;
    }

    // It was not told of any cancellation, so its failure is none of cleaning up, for which the
    // scope would fail.
    private static boolean failedByItself(Coroutine<?> self) {
        CancelRequest request = self.request();
        return request == null || !request.wasDelivered();
    }

    private void giveAway(@Nullable T value) {
        if (value == null) {
            return;
        }
        var shield = new Frame(Coroutine.current("race"), true);
        try {
            discard.accept(value);
        } finally {
            shield.leave();
        }
    }

    /// {@return what the race throws, if its scope throws `cut`}
    private Throwable cutOffBy(Throwable cut) {
        failures().forEach(each -> Errors.suppress(cut, each));
        switch (decision) {
            case Outcome.Success<T>(var value) -> {
                try {
                    giveAway(value);
                } catch (Throwable thrown) {
                    Errors.suppress(cut, thrown);
                }
            }
            case Outcome.Failure<T>(var failure) -> {
                Errors.suppress(failure, cut);
                return failure;
            }
            case Outcome.Cancelled<T> _ -> throw new AssertionError("decides nothing");
            case null -> {}
        }
        return cut;
    }

    private <X extends Exception> T result() throws X {
        switch (decision) {
            case Outcome.Success<T>(var value) -> {
                if (goal == Goal.SUCCESS) {
                    failures();
                }
                return value;
            }
            case Outcome.Failure<T>(var failure) -> {
                failures().forEach(each -> Errors.suppress(failure, each));
                throw Structured.<X>asDeclared(failure);
            }
            case Outcome.Cancelled<T> _ -> throw new AssertionError("decides nothing");
            case null -> throw Structured.<X>asDeclared(nobodyDecided());
        }
    }

    private Throwable nobodyDecided() {
        Throwable all = CompositeException.of("no success", failures());
        return all == null
                ? new OperationCancelledException("all in the race were cancelled", null, false)
                : all;
    }

    /// {@return the failures of those who were passed over; now somebody has looked at them}
    private List<Throwable> failures() {
        var failures = new ArrayList<Throwable>();
        for (var each : passedOver) {
            if (each.readOutcome() instanceof Outcome.Failure<?>(var error)) {
                failures.add(error);
            }
        }
        return failures;
    }

    /// The body of one who takes part.
    final class Entrant implements Callable<Boolean> {
        final Callable<? extends T> body;

        Entrant(Callable<? extends T> body) {
            this.body = body;
        }

        @Override
        public Boolean call() throws Exception {
            T value;
            try {
                // In a block of its own: who loses, loses with all that it has spawned.
                value = Scope.call(_ -> body.call());
            } catch (Throwable thrown) {
                Coroutine<?> self = Heddle.current();
                if (decidesByFailing(self)) {
                    ended(new Outcome.Failure<>(thrown));
                    return false;
                }
                if (failedByItself(self)) {
                    self.markUsed();
                    passedOver.add(self);
                }
                throw thrown;
            }
            if (decision == null) {
                ended(new Outcome.Success<>(value));
            } else {
                giveAway(value);
            }
            return true;
        }
    }
}
