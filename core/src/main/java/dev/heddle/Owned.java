package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.concurrent.Callable;

/// The body of a coroutine that owns a resource: closes it once, whatever becomes of the coroutine.
///
/// **Thread:** loop.
final class Owned<R extends AutoCloseable, T> implements Callable<T> {
    /*
     * Who closes it:
     *
     *   the coroutine    after the body, however that ended; if it was cancelled before it began, it
     *                    begins all the same, and only its body is left out: a close may wait
     *   the spawner      if the spawn is refused, before the refusal is thrown
     *   a coroutine      of its own, if the spawner had no stack left for that
     *   the loop         if it ends before the coroutine began: then a close cannot wait
     */

    /// A body without a result. Not a lambda, see [ActionBody].
    private record Quiet<R>(VoidFn<? super R, ?> body) implements Fn<R, Void, Exception> {
        @Override
        public Void apply(R resource) throws Exception {
            body.accept(resource);
            return Heddle.value(null);
        }
    }

    private final Fn<? super R, ? extends T, ?> body;

    // Null once its close has begun.
    private @Nullable R resource;

    // Those whose spawn ran out of stack, see HalfSpawned; and whether there is a coroutine all the
    // same.
    @Nullable Owned<?, ?> nextOrphan;
    boolean adopted;

    private Owned(R resource, Fn<? super R, ? extends T, ?> body) {
        this.resource = resource;
        this.body = body;
    }

    // ---- spawning ----

    /// @param scope null for the current one
    static <R extends AutoCloseable> Coroutine<Void> run(
            @Nullable ScopeNode scope,
            @Nullable String name,
            R resource,
            @Nullable VoidFn<? super R, ?> body) {
        return call(scope, name, resource, body == null ? null : new Quiet<>(body));
    }

    /// @param scope null for the current one
    static <R extends AutoCloseable, T> Coroutine<T> call(
            @Nullable ScopeNode scope,
            @Nullable String name,
            R resource,
            @Nullable Fn<? super R, ? extends T, ?> body) {
        Objects.requireNonNull(resource, "resource");
        Scheduler here = null;
        Owned<R, T> owned = null;
        try {
            here = Heddle.schedulerHere("spawn");
            owned = new Owned<>(resource, Objects.requireNonNull(body, "body"));
            return scope == null
                    ? Heddle.spawnHere(name, owned)
                    : Heddle.spawnIn(scope, name, owned);
        } catch (StackOverflowError overflow) {
            if (here == null || owned == null) {
                closeAfter(overflow, resource);
            } else {
                // Only stores here: there is no stack for more.
                owned.nextOrphan = here.halfSpawned.orphans;
                here.halfSpawned.orphans = owned;
            }
            throw overflow;
        } catch (Throwable refusal) {
            closeAfter(refusal, resource);
            throw refusal;
        }
    }

    /// {@return `name`, unless there is none: then the spawn is refused}
    static String named(@Nullable String name, AutoCloseable resource) {
        if (name == null) {
            var refusal = new NullPointerException("name");
            closeAfter(refusal, Objects.requireNonNull(resource, "resource"));
            throw refusal;
        }
        return name;
    }

    private static void closeAfter(Throwable refusal, AutoCloseable resource) {
        try {
            resource.close();
        } catch (Throwable thrown) {
            Errors.suppress(refusal, thrown);
        }
    }

    /// {@return the class to show for the body}
    Class<?> shownClass() {
        return body instanceof Quiet<?>(var inner) ? inner.getClass() : body.getClass();
    }

    // ---- living ----

    @Override
    public T call() throws Exception {
        Coroutine<?> self = Coroutine.current("spawn");
        T value = null;
        Throwable thrown = null;
        try {
            self.throwIfCancelled();
            value = body.apply(Objects.requireNonNull(resource));
        } catch (Throwable left) {
            // Now: the close may pass suspension points, and then nobody could tell any more.
            thrown = self.asItCounts(left);
        }
        self.beginClosing();
        try {
            close();
        } catch (Throwable failed) {
            thrown = thrown == null ? failed : Errors.weigh(thrown, failed);
        }
        if (thrown != null) {
            throw asException(thrown);
        }
        return Heddle.value(value);
    }

    /// Closes it, unless that has begun.
    void close() throws Exception {
        R mine = resource;
        if (mine != null) {
            resource = null;
            mine.close();
        }
    }

    /// {@return a coroutine that only closes it}
    Callable<Void> closing() {
        return () -> {
            Coroutine.current("spawn").beginClosing();
            close();
            return Heddle.value(null);
        };
    }

    private static Exception asException(Throwable thrown) {
        return switch (thrown) {
            case Error error -> throw error;
            case Exception exception -> exception;
            // A Throwable of somebody's own making, past the compiler.
            default -> throw new IllegalStateException(thrown);
        };
    }
}
