package dev.heddle;

import dev.heddle.event.Event;
import dev.heddle.event.Waker;
import dev.heddle.loop.Timer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Finds coroutines that wait for each other, or for nothing.
///
/// **Thread:** loop.
final class Deadlocks {
    /*
     * Three looks, from the cheapest:
     *
     *   a circle     at every wait that parks, see Dependents and Cycle: its members get a
     *                DeadlockError at once
     *   standstill   before the loop waits: everybody waits, and nothing that is started can wake
     *                anybody; all are cancelled, and `run` throws
     *   in the JDK   the same, but some sleep in calls of the JDK, of which nobody knows what will
     *                wake them: that is only reported, once, after a while, and only if none of
     *                them waits for the world, see JdkWaits
     */
    private static final String REASON = "deadlock: nothing can wake this coroutine";

    // Who is cancelled for a standstill may shield itself and wait again. After so many it is
    // abandoned. Coroutines without a shield never come to this: they get their cancellation again
    // when the clean-up window ends, and are zombies in the end.
    private static final int STANDSTILLS_MAX = 8;

    // How far up a coroutine looks for somebody who waits for it, before it takes that for granted.
    private static final int SCOPES_MAX = 64;

    private final Scheduler scheduler;
    private final Timer inJdk;
    private boolean armed;
    private long runsWhenArmed;
    private boolean inJdkReported;
    private int standstills;

    Deadlocks(Scheduler scheduler) {
        this.scheduler = scheduler;
        inJdk = scheduler.loop.timer(this::stillInJdk);
        inJdk.unref();
    }

    // ---- circles ----

    /// `fiber` is about to park. The usual cases are told by a look at the first event alone: it is
    /// a timer, a channel, a promise, or a coroutine that is not waiting itself.
    ///
    /// @throws DeadlockError if that closes a circle
    void beforeWait(Fiber fiber) {
        Event<?> first = fiber.awaitsFirst();
        if (first != null && mayBeStuck(first)) {
            throwIfInCircle(fiber);
        }
    }

    private void throwIfInCircle(Fiber fiber) {
        DeadlockError error = breakCircle(fiber);
        if (error != null) {
            throw error;
        }
    }

    /// One of the events that `fiber` waits for has happened and did not end its wait.
    void fewerAlternatives(Fiber fiber) {
        if (fiber.isSleeping()) {
            DeadlockError error = breakCircle(fiber);
            if (error != null) {
                fiber.interrupt(error);
            }
        }
    }

    /// Wakes the other members of the circle that `fiber` is in.
    ///
    /// @return what `fiber` itself is to get; null if there is no circle
    private @Nullable DeadlockError breakCircle(Fiber fiber) {
        Coroutine<?> self = fiber.coroutine;
        if (!isAwaited(self) || !Dependents.mayInclude(self)) {
            return null;
        }
        var members = Cycle.through(self);
        if (members.stream().allMatch(Coroutine::isZombie)) {
            // Nobody waits for zombies, so they may wait for each other until the program ends.
            return null;
        }
        var lines = new WaitLines();
        members.forEach(lines::add);
        String text = members.size() + " coroutines wait for each other:" + lines.paragraph();
        for (var member : members) {
            if (member != self) {
                var error = new DeadlockError(text, lines.all());
                lines.stackOf(member).ifPresent(error::setStackTrace);
                member.force(error);
            }
        }
        var own = new DeadlockError(text, lines.all());
        Recorder.deadlock(own);
        return own;
    }

    // One that has happened and did not end the wait says nothing about the others.
    private static boolean mayBeStuck(Event<?> event) {
        if (event.is(Event.CLOSED)) {
            return true;
        }
        return event instanceof Coroutine<?> coroutine
                ? coroutine.fiber().state() == Waker.State.WAITING
                : Cycle.isInGraph(event);
    }

    private static boolean isAwaited(Coroutine<?> self) {
        if (self.hasSubscribers()) {
            return true;
        }
        int steps = 0;
        for (ScopeNode node = self.home(); node != null; node = node.parent) {
            if (node.hasSubscribers() || node.gone.hasSubscribers() || ++steps == SCOPES_MAX) {
                return true;
            }
        }
        return false;
    }

    DeadlockError selfAwait(Coroutine<?> self) {
        return new DeadlockError(self.name() + " awaits itself", List.of(self.info()));
    }

    // ---- standstill ----

    /// The loop is about to wait, and there are active coroutines.
    void beforeWait() {
        if (scheduler.loop.alive()) {
            disarm();
        } else if (scheduler.inJdk() == 0) {
            disarm();
            endStandstill();
        } else {
            watchJdk();
        }
    }

    private void endStandstill() {
        var all = everybody();
        var lines = new WaitLines();
        all.forEach(lines::add);
        String text =
                "deadlock: "
                        + (all.size() == 1
                                ? "the only coroutine waits, and nothing can wake it. It is"
                                : "every coroutine waits, and nothing can wake any of them. All "
                                        + all.size()
                                        + " are")
                        + " cancelled:"
                        + lines.paragraph()
                        + promiseHint();
        var error = new DeadlockError(text, lines.all());
        Recorder.deadlock(error);
        scheduler.lifecycle.deadlocked(error);
        scheduler.options.report(Report.Kind.DEADLOCK, text);
        if (++standstills > STANDSTILLS_MAX) {
            scheduler.lifecycle.abandon();
        } else {
            all.forEach(this::cancel);
        }
    }

    // A shield would keep an ordinary cancellation out. One that belongs to no request opens no
    // clean-up window, whose timer would hide the next standstill inside the same shield.
    private void cancel(Coroutine<?> coroutine) {
        coroutine.requestCancel(REASON);
        if (coroutine.state() == CoroutineState.WAITING) {
            coroutine.force(new Cancellation(REASON, null, scheduler.options.debug));
        }
    }

    private List<Coroutine<?>> everybody() {
        var all = new ArrayList<Coroutine<?>>(scheduler.registry.size());
        try (var cursor = scheduler.registry.cursor()) {
            for (var each = cursor.next(); each != null; each = cursor.next()) {
                all.add(each);
            }
        }
        return all;
    }

    private static String promiseHint() {
        return "\n  A plain promise does not count as something that can still happen, although any"
                + " thread may complete it: if another thread will, make it with"
                + " Promise.external().";
    }

    // ---- calls of the JDK ----

    private void watchJdk() {
        // Whoever runs in between has been woken by something: the time begins anew.
        long runs = scheduler.runs();
        if (!inJdkReported && (!armed || runs != runsWhenArmed)) {
            armed = true;
            runsWhenArmed = runs;
            inJdk.startNanos(scheduler.options.jdkDeadlockNanos, 0);
        }
    }

    private static boolean waitsForTheWorld(Coroutine<?> coroutine) {
        Thread thread = coroutine.fiber().thread();
        return thread != null && coroutine.fiber().isInJdk() && JdkWaits.isForTheWorld(thread);
    }

    private void disarm() {
        if (armed) {
            armed = false;
            inJdk.stop();
        }
    }

    private void stillInJdk() {
        armed = false;
        if (scheduler.loop.alive() || scheduler.runs() != runsWhenArmed) {
            return;
        }
        var all = everybody();
        if (all.stream().anyMatch(Deadlocks::waitsForTheWorld)) {
            return;
        }
        inJdkReported = true;
        var lines = new WaitLines();
        all.forEach(lines::add);
        String text =
                "perhaps a deadlock: for "
                        + Duration.ofNanos(scheduler.options.jdkDeadlockNanos)
                        + " nothing has happened, and only calls of the JDK can wake anybody;"
                        + " nothing is cancelled:"
                        + lines.paragraph()
                        + promiseHint();
        scheduler.options.report(Report.Kind.DEADLOCK, text);
    }
}
