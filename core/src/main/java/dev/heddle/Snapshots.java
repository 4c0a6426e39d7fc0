package dev.heddle;

import dev.heddle.Snapshot.Cancelling;
import dev.heddle.Snapshot.OfCoroutine;
import dev.heddle.Snapshot.OfScope;
import dev.heddle.loop.Task;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/// Takes a [Snapshot], a page at a time.
///
/// A page is so small that it keeps the loop for a millisecond or two even before the code is
/// compiled; a hundred thousand coroutines make two hundred of them.
///
/// **Thread:** loop; [#ofLoop] any.
final class Snapshots implements AutoCloseable {
    static final int PAGE = 500;

    private final Scheduler scheduler;
    private final long nanos;
    private final Registry.Cursor cursor;
    private final List<OfCoroutine> coroutines = new ArrayList<>();
    private final List<OfScope> scopes = new ArrayList<>();

    // Gathered at once, since a tree that changes cannot be walked in pages: some nanoseconds each.
    private final List<ScopeNode> scopesLeft = new ArrayList<>();
    private boolean complete;

    private Snapshots(Scheduler scheduler) {
        this.scheduler = scheduler;
        nanos = scheduler.loop.now();
        cursor = scheduler.registry.cursor();
        scheduler.root.forEachNode(scopesLeft::add);
    }

    /// Takes one as the coroutine that calls, which lets the others run between the pages.
    static Snapshot here() {
        Coroutine<?> self = Coroutine.current("snapshot()");
        try (var taking = new Snapshots(self.scheduler())) {
            while (!taking.page()) {
                self.letOthersRun();
            }
            return taking.snapshot();
        }
    }

    /// Takes one of a loop that runs. Any thread.
    static CompletableFuture<Snapshot> ofLoop(Scheduler scheduler) {
        var turns = new Turns(scheduler);
        if (scheduler.isHere()) {
            scheduler.loop.enqueue(turns);
        } else if (!scheduler.loop.postIfOpen(turns)) {
            turns.drop();
        }
        return turns.future;
    }

    /// {@return whether this was the last page}
    private boolean page() {
        for (int i = 0; i < PAGE; i++) {
            if (scopes.size() < scopesLeft.size()) {
                scopes.add(describe(scopesLeft.get(scopes.size())));
                continue;
            }
            Coroutine<?> coroutine = cursor.next();
            if (coroutine == null) {
                complete = true;
                break;
            }
            coroutines.add(describe(coroutine));
        }
        return complete;
    }

    private Snapshot snapshot() {
        var loop = scheduler.loop;
        return new Snapshot(
                loop.toString(), nanos, loop.stats(), loop.untilNextTimer(), scopes, coroutines);
    }

    private static OfScope describe(ScopeNode scope) {
        ScopeNode above = scope.parent;
        return new OfScope(
                scope.id,
                scope.name(),
                above == null ? OptionalLong.empty() : OptionalLong.of(above.id),
                scope.madeAt,
                scope.ownActive(),
                scope.ownZombies(),
                scope.isClosed(),
                scope.isCancelled() ? Optional.of(scope.cancelReason()) : Optional.empty());
    }

    private OfCoroutine describe(Coroutine<?> coroutine) {
        CoroutineState state = coroutine.state();
        boolean waits = state == CoroutineState.WAITING;
        Fiber fiber = coroutine.fiber();
        return new OfCoroutine(
                coroutine.id(),
                coroutine.name(),
                state,
                coroutine.home().id,
                coroutine.spawnedAt(),
                waits ? fiber.sleepsAt() : "",
                WaitLines.awaited(coroutine),
                waits ? since(fiber.sleepsSince()) : Duration.ZERO,
                coroutine.isZombie(),
                Optional.ofNullable(coroutine.request()).map(this::describe));
    }

    private Cancelling describe(CancelRequest request) {
        return new Cancelling(request.reason, since(request.sinceNanos), request.unanswered());
    }

    private Duration since(long thenNanos) {
        return Duration.ofNanos(scheduler.loop.now() - thenNanos);
    }

    @Override
    public void close() {
        cursor.close();
    }

    /// A page each turn, for those who are no coroutine.
    private static final class Turns extends Task {
        private final Scheduler scheduler;
        private final CompletableFuture<Snapshot> future = new CompletableFuture<>();
        private @Nullable Snapshots taking;

        private Turns(Scheduler scheduler) {
            this.scheduler = scheduler;
        }

        @Override
        protected void run() {
            try {
                if (taking == null) {
                    taking = new Snapshots(scheduler);
                }
                if (taking.page()) {
                    Snapshot done = taking.snapshot();
                    taking.close();
                    // Elsewhere: what depends on it is not the loop's business.
                    future.completeAsync(() -> done);
                } else {
                    scheduler.loop.enqueue(this);
                }
            } catch (Throwable thrown) {
                future.completeExceptionally(thrown);
            }
        }

        @Override
        protected void drop() {
            future.completeExceptionally(
                    new IllegalStateException("the program has ended: " + scheduler.loop));
        }
    }
}
