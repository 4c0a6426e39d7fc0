package dev.heddle;

import dev.heddle.event.Event;
import dev.heddle.event.Waker;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;

/// Who waits for what, as lines for people.
///
/// A look at a coroutine's stack takes some microseconds, and a text of thousands of lines is read
/// by nobody: both have a limit, and what is left out is told by number.
///
/// **Thread:** loop.
final class WaitLines {
    private static final int STACKS_MAX = 100;
    private static final int SHOWN_MAX = 25;

    private final List<String> lines = new ArrayList<>();
    private final IdentityHashMap<Coroutine<?>, StackTraceElement[]> stacks =
            new IdentityHashMap<>();

    WaitLines() {}

    void add(Coroutine<?> coroutine) {
        if (stacks.size() < STACKS_MAX) {
            stacks.put(coroutine, coroutine.stack().toArray(StackTraceElement[]::new));
        }
        lines.add(
                label(coroutine)
                        + (coroutine.isZombie() ? ", zombie" : "")
                        + ", spawned at "
                        + coroutine.spawnedAt()
                        + stackOf(coroutine).map(WaitLines::place).orElse("")
                        + ", waits for "
                        + awaited(coroutine));
    }

    /// {@return where it was when its line was written; empty for those beyond the limit}
    Optional<StackTraceElement[]> stackOf(Coroutine<?> coroutine) {
        return Optional.ofNullable(stacks.get(coroutine));
    }

    private static String place(StackTraceElement[] stack) {
        return ", suspended at " + Place.firstOutside(stack);
    }

    /// {@return a line for each}
    List<String> all() {
        return lines;
    }

    /// {@return a paragraph: the first of them, indented, and how many more there are}
    String paragraph() {
        var text = new StringBuilder();
        lines.stream().limit(SHOWN_MAX).forEach(line -> text.append("\n  ").append(line));
        if (lines.size() > SHOWN_MAX) {
            text.append("\n  and ").append(lines.size() - SHOWN_MAX).append(" more");
        }
        return text.toString();
    }

    static String label(Coroutine<?> coroutine) {
        String given = coroutine.givenName();
        return "Coroutine #" + coroutine.id() + (given == null ? "" : " \"" + given + '"');
    }

    static String origin(Coroutine<?> coroutine) {
        return label(coroutine) + ", spawned at " + coroutine.spawnedAt();
    }

    /// {@return what it waits for, in words that cost no look at a stack}
    static String awaited(Coroutine<?> coroutine) {
        // Not the state that users see: who closes a circle still runs, and is about to park.
        if (coroutine.fiber().state() != Waker.State.WAITING) {
            return coroutine.awaitingInfo();
        }
        var text = new StringBuilder();
        coroutine.fiber().awaited(event -> append(text, event));
        return text.toString();
    }

    private static void append(StringBuilder text, Event<?> event) {
        if (event.is(Event.CLOSED)) {
            return;
        }
        text.append(text.isEmpty() ? "" : " or ").append(brief(event));
    }

    // Where a coroutine stands is told in its own line, and to count a scope takes a walk.
    private static String brief(Event<?> event) {
        return switch (event) {
            case Coroutine<?> coroutine -> label(coroutine);
            case ScopeNode scope -> "the end of " + scope.label();
            case ScopeNode.Gone gone -> "the end of all in " + gone.scope().label();
            default -> event.info();
        };
    }
}
