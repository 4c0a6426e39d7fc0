package dev.heddle;

import dev.heddle.event.Event;
import dev.heddle.event.Waker;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Waiting for several things: until enough of them have ended.
///
/// The same thing may be given more than once; it counts as often.
///
/// **Thread:** loop (a coroutine).
final class Gather<T> {
    private static final int NONE = -1;

    // How many may be left when a look for deadlocks is worth its price, which is one walk over
    // all.
    private static final int FEW = 16;

    /// What ends the wait before all have ended.
    private enum Goal {
        ALL,
        FIRST_FAILURE,
        FIRST_END,
        SUCCESSES
    }

    private final List<Awaitable<? extends T>> all;
    private final Goal goal;
    private final int successesWanted;

    // By position: which have ended before the wait did, and which one ended it.
    private final BitSet ended = new BitSet();
    private int endedCount;
    private int succeeded;
    private int decisive = NONE;

    private Gather(
            Collection<? extends Awaitable<? extends T>> all, Goal goal, int successesWanted) {
        this.all = checked(all);
        this.goal = goal;
        this.successesWanted = successesWanted;
    }

    private static <T> List<Awaitable<? extends T>> checked(
            Collection<? extends Awaitable<? extends T>> all) {
        var list = new ArrayList<Awaitable<? extends T>>(Objects.requireNonNull(all, "all"));
        for (int i = 0; i < list.size(); i++) {
            int at = i;
            Objects.requireNonNull(list.get(i), () -> "what to await, at position " + at);
        }
        return list;
    }

    static <T> List<T> all(
            Collection<? extends Awaitable<? extends T>> all, Optional<Token> token) {
        var gather = new Gather<T>(all, Goal.FIRST_FAILURE, 0);
        gather.await("awaitAll", token);
        if (gather.decisive != NONE) {
            gather.valueAt(gather.decisive);
        }
        var values = new ArrayList<T>(gather.all.size());
        for (int i = 0; i < gather.all.size(); i++) {
            values.add(gather.valueAt(i));
        }
        return values;
    }

    static <T> Results<T> settled(
            Collection<? extends Awaitable<? extends T>> all, Optional<Token> token) {
        return new Gather<T>(all, Goal.ALL, 0).resultsUntil("awaitSettled", token);
    }

    static <T> T any(Collection<? extends Awaitable<? extends T>> any, Optional<Token> token) {
        var gather = new Gather<T>(any, Goal.FIRST_END, 0);
        gather.ensureNotEmpty("awaitAny");
        gather.await("awaitAny", token);
        return gather.valueAt(gather.decisive);
    }

    static <T> T firstSuccess(
            Collection<? extends Awaitable<? extends T>> any, Optional<Token> token) {
        var gather = new Gather<T>(any, Goal.SUCCESSES, 1);
        gather.ensureNotEmpty("awaitFirstSuccess");
        gather.await("awaitFirstSuccess", token);
        if (gather.decisive != NONE) {
            gather.readAllThatEnded();
            return gather.valueAt(gather.decisive);
        }
        var errors = List.copyOf(gather.results().errors().values());
        throw Waits.unchecked(Objects.requireNonNull(CompositeException.of("no success", errors)));
    }

    static <T> Results<T> anyOf(
            int count, Collection<? extends Awaitable<? extends T>> any, Optional<Token> token) {
        if (count < 0) {
            throw new IllegalArgumentException("count must not be negative, but is " + count);
        }
        var gather = new Gather<T>(any, Goal.SUCCESSES, count);
        return gather.resultsUntil("awaitAnyOf", token);
    }

    private void ensureNotEmpty(String what) {
        if (all.isEmpty()) {
            throw new IllegalArgumentException(what + " of nothing: it could never return");
        }
    }

    // ---- waiting ----

    private void await(String what, Optional<Token> token) {
        Coroutine<?> self = Coroutine.current(what);
        for (var each : all) {
            Waits.ensureSameLoop(Waits.event(each), self);
            Waits.ensureNotSelf(Waits.event(each), self);
        }
        token.ifPresent(each -> each.on(self.scheduler()));
        try {
            await(self, token);
        } catch (Throwable cut) {
            giveUpTheRest(cut);
            throw cut;
        }
    }

    private void await(Coroutine<?> self, Optional<Token> token) {
        if (all.isEmpty() || (goal == Goal.SUCCESSES && successesWanted == 0)) {
            self.beforeSuspension();
            all.forEach(each -> Waits.event(each).markUsed());
            token.ifPresent(Token::markUsed);
            self.scheduler().spend(self);
            return;
        }
        Fiber fiber = self.fiber();
        fiber.begin();
        for (int i = 0; i < all.size(); i++) {
            gather(fiber, i, Waits.event(all.get(i)));
        }
        token.ifPresent(each -> each.gather(fiber));
        self.suspend();
        self.throwIfInterrupted();
    }

    private void gather(Fiber fiber, int at, Event<? extends T> event) {
        fiber.on(event, (waker, source, _, error) -> ended(waker, source, at, error));
    }

    private void ended(Waker waker, Event<?> source, int at, @Nullable Throwable error) {
        ended.set(at);
        endedCount++;
        boolean failed = error != null;
        if (!failed) {
            succeeded++;
        }
        boolean decides =
                switch (goal) {
                    case ALL -> false;
                    case FIRST_FAILURE -> failed;
                    case FIRST_END -> true;
                    case SUCCESSES -> !failed && succeeded == successesWanted;
                };
        if (decides) {
            decisive = at;
        }
        int left = all.size() - endedCount;
        if (decides || left == 0) {
            waker.answer(source, null, null);
        } else if (left <= FEW && waker instanceof Fiber fiber) {
            // What is left may be a circle, which nobody else will notice.
            fiber.scheduler.deadlocks.fewerAlternatives(fiber);
        }
    }

    // What was told before the end is not read: nobody was handed it.
    private void giveUpTheRest(Throwable cut) {
        for (int i = ended.nextClearBit(0); i < all.size(); i = ended.nextClearBit(i + 1)) {
            Waits.event(all.get(i)).givenUp(cut);
        }
    }

    // Failures that were passed over on the way to a success have been dealt with by that.
    private void readAllThatEnded() {
        for (int i = ended.nextSetBit(0); i >= 0; i = ended.nextSetBit(i + 1)) {
            Waits.event(all.get(i)).readOutcome();
        }
    }

    private Results<T> resultsUntil(String what, Optional<Token> token) {
        try {
            await(what, token);
        } catch (OperationCancelledException over) {
            // What there is by now is the answer: a token ends only the wait.
            return results();
        }
        return results();
    }

    private T valueAt(int at) {
        return AwaitTrace.marked(all.get(at).outcome().orElseThrow()).orThrow();
    }

    private Results<T> results() {
        var values = new LinkedHashMap<Integer, T>();
        var errors = new LinkedHashMap<Integer, Throwable>();
        var pending = new ArrayList<Integer>();
        for (int i = 0; i < all.size(); i++) {
            if (!ended.get(i)) {
                pending.add(i);
                continue;
            }
            switch (all.get(i).outcome().orElseThrow()) {
                case Outcome.Success<? extends T>(var value) -> values.put(i, value);
                case Outcome.Failure<? extends T>(var error) -> errors.put(i, error);
                case Outcome.Cancelled<? extends T>(var why) -> errors.put(i, why);
            }
        }
        return new Results<>(values, errors, pending);
    }
}
