package dev.heddle;

import dev.heddle.event.Event;
import dev.heddle.event.Waker;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
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
final class Gather<T> implements Waker.Reaction<Object> {
    // How many may be left when a look for deadlocks is worth its price, which is one walk over
    // all.
    private static final int FEW = 16;

    private final List<Awaitable<? extends T>> all;
    private final boolean stopsAtFailure;
    private final boolean stopsAtFirst;
    private final int successesWanted;
    private int ended;
    private int succeeded;
    private @Nullable Event<?> decisive;

    private Gather(
            Collection<? extends Awaitable<? extends T>> all,
            boolean stopsAtFailure,
            boolean stopsAtFirst,
            int successesWanted) {
        this.all = List.copyOf(all);
        this.stopsAtFailure = stopsAtFailure;
        this.stopsAtFirst = stopsAtFirst;
        this.successesWanted = successesWanted;
    }

    static <T> List<T> all(
            Collection<? extends Awaitable<? extends T>> all, Optional<Token> token) {
        var gather = new Gather<T>(all, true, false, Integer.MAX_VALUE);
        gather.await("awaitAll", token);
        if (gather.decisive != null) {
            gather.outcomeOf(gather.decisive).orThrow();
        }
        var values = new ArrayList<T>(gather.all.size());
        for (var each : gather.all) {
            values.add(each.outcome().orElseThrow().orThrow());
        }
        return values;
    }

    static <T> Results<T> settled(
            Collection<? extends Awaitable<? extends T>> all, Optional<Token> token) {
        var gather = new Gather<T>(all, false, false, Integer.MAX_VALUE);
        return gather.awaitPartly("awaitSettled", token);
    }

    static <T> T any(Collection<? extends Awaitable<? extends T>> any) {
        var gather = new Gather<T>(notEmpty(any, "awaitAny"), false, true, Integer.MAX_VALUE);
        gather.await("awaitAny", Optional.empty());
        return gather.outcomeOf(Objects.requireNonNull(gather.decisive)).orThrow();
    }

    static <T> T firstSuccess(Collection<? extends Awaitable<? extends T>> any) {
        var gather = new Gather<T>(notEmpty(any, "awaitFirstSuccess"), false, false, 1);
        gather.await("awaitFirstSuccess", Optional.empty());
        if (gather.decisive != null) {
            return gather.outcomeOf(gather.decisive).orThrow();
        }
        var errors = List.copyOf(gather.results().errors().values());
        throw Waits.unchecked(Objects.requireNonNull(CompositeException.of("no success", errors)));
    }

    static <T> Results<T> anyOf(int count, Collection<? extends Awaitable<? extends T>> any) {
        if (count < 0) {
            throw new IllegalArgumentException("count must not be negative, but is " + count);
        }
        var gather = new Gather<T>(any, false, false, count);
        return gather.awaitPartly("awaitAnyOf", Optional.empty());
    }

    private static <A extends Awaitable<?>> Collection<? extends A> notEmpty(
            Collection<? extends A> any, String what) {
        if (any.isEmpty()) {
            throw new IllegalArgumentException(what + " of nothing: it could never return");
        }
        return any;
    }

    // ---- waiting ----

    private Results<T> awaitPartly(String what, Optional<Token> token) {
        try {
            await(what, token);
        } catch (OperationCancelledException ended) {
            // What there is by now is the answer: a token ends only the wait.
            return results();
        }
        return results();
    }

    private void await(String what, Optional<Token> token) {
        Coroutine<?> self = Coroutine.current(what);
        for (var each : all) {
            Waits.ensureSameLoop(Waits.event(each), self);
            Waits.ensureNotSelf(Waits.event(each), self);
        }
        token.ifPresent(each -> each.on(self.scheduler()));
        if (all.isEmpty() || successesWanted == 0) {
            self.beforeSuspension();
            self.scheduler().spend(self);
            return;
        }
        Fiber fiber = self.fiber();
        fiber.begin();
        all.forEach(each -> gather(fiber, each));
        token.ifPresent(each -> each.gather(fiber));
        self.suspend();
        self.throwIfInterrupted();
    }

    private void gather(Fiber fiber, Awaitable<? extends T> each) {
        fiber.on(Waits.event(each), this);
    }

    @Override
    public void onEvent(
            Waker waker,
            Event<? extends Object> source,
            @Nullable Object value,
            @Nullable Throwable error) {
        ended++;
        boolean failed = error != null;
        if (!failed) {
            succeeded++;
        }
        boolean decides = stopsAtFirst || (failed && stopsAtFailure);
        if (decides || succeeded >= successesWanted) {
            decisive = source;
            waker.answer(source, null, null);
        } else if (ended == all.size()) {
            waker.answer(source, null, null);
        } else if (all.size() - ended <= FEW && waker instanceof Fiber fiber) {
            // What is left may be a circle, which nobody else will notice.
            fiber.scheduler.deadlocks.fewerAlternatives(fiber);
        }
    }

    private Outcome<? extends T> outcomeOf(Event<?> event) {
        for (var each : all) {
            if (Waits.event(each) == event) {
                return each.outcome().orElseThrow();
            }
        }
        throw new AssertionError("fired but was not awaited: " + event.info());
    }

    private Results<T> results() {
        var values = new LinkedHashMap<Integer, T>();
        var errors = new LinkedHashMap<Integer, Throwable>();
        var pending = new ArrayList<Integer>();
        for (int i = 0; i < all.size(); i++) {
            switch (all.get(i).outcome().orElse(null)) {
                case null -> pending.add(i);
                case Outcome.Success<? extends T>(var value) -> values.put(i, value);
                case Outcome.Failure<? extends T>(var error) -> errors.put(i, error);
                case Outcome.Cancelled<? extends T>(var why) -> errors.put(i, why);
            }
        }
        return new Results<>(values, errors, pending);
    }
}
