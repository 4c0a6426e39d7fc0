package dev.heddle;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Scopes and coroutines without any machinery: a coroutine is a program whose end follows from
/// when it began and when it was cancelled, by a formula. Time only moves by [#advance].
///
/// **Thread:** owner (the test).
final class ScopeModel {
    static final int NO_PARENT = -1;
    private static final long NEVER = Long.MAX_VALUE;

    /// What a coroutine has around what it waits for.
    sealed interface Layer {}

    record Limit(long nanos) implements Layer {}

    record Shield() implements Layer {}

    /// A coroutine: enters the layers, the outermost first, waits, and leaves them.
    ///
    /// @param children of the block that it waits in, if it does; they begin when it does
    record Program(List<Layer> layers, long delay, Optional<List<Program>> children) {}

    /// @param time when
    private record Cut(long time, String reason) {
        static final Cut NONE = new Cut(NEVER, "");

        Cut orEarlier(Cut other) {
            return other.time < time ? other : this;
        }
    }

    private record End(long time, String how) {}

    private static final class Node {
        final int parent;
        final boolean safe;
        boolean closed;
        Cut disposal = Cut.NONE;

        Node(int parent, boolean safe) {
            this.parent = parent;
            this.safe = safe;
        }
    }

    private static final class Life {
        final int scope;
        final String id;
        final Program program;
        final long begin;
        boolean zombie;
        // Of itself and what is in its blocks, and of itself alone.
        Cut disposed = Cut.NONE;
        Cut cancelled = Cut.NONE;

        Life(int scope, String id, Program program, long begin) {
            this.scope = scope;
            this.id = id;
            this.program = program;
            this.begin = begin;
        }

        Map<String, End> ends() {
            var ends = new TreeMap<String, End>();
            live(id, program, begin, cancelled, disposed, ends);
            return ends;
        }

        boolean isOver(long now) {
            return ends().get(id).time <= now;
        }
    }

    private final List<Node> nodes = new ArrayList<>();
    private final List<Life> lives = new ArrayList<>();
    private long now;

    // ---- steps ----

    void add(int parent, boolean safe) {
        nodes.add(new Node(parent, safe));
    }

    void spawn(int scope, String id, Program program) {
        lives.add(new Life(scope, id, program, now));
    }

    void cancelOne(int which, String reason) {
        var life = lives.get(which);
        if (life.disposed.time == NEVER) {
            life.cancelled = life.cancelled.orEarlier(new Cut(now, reason));
        }
    }

    void cancel(int scope, String reason) {
        if (nodes.get(scope).safe) {
            disposeSafely(scope, reason);
        } else {
            dispose(scope, reason);
        }
    }

    void close(int scope, String reason) {
        if (!nodes.get(scope).closed) {
            cancel(scope, reason);
        }
    }

    void dispose(int scope, String reason) {
        closeAllBelow(scope);
        nodes.get(scope).disposal = Cut.NONE;
        inside(scope)
                .forEach(life -> life.disposed = life.disposed.orEarlier(new Cut(now, reason)));
    }

    void disposeSafely(int scope, String reason) {
        closeAllBelow(scope);
        for (var life : inside(scope)) {
            if (life.begin == now) {
                // Spawned at this moment: it has not begun, and never will.
                life.disposed = life.disposed.orEarlier(new Cut(now, reason));
            } else if (life.disposed.time == NEVER
                    && life.cancelled.time == NEVER
                    && !life.isOver(now)) {
                life.zombie = true;
            }
        }
    }

    void disposeAfter(int scope, long nanos, String reason) {
        if (nodes.get(scope).safe) {
            disposeSafely(scope, reason);
        } else {
            closeAllBelow(scope);
        }
        var node = nodes.get(scope);
        node.disposal = node.disposal.orEarlier(new Cut(now + nanos, reason));
    }

    void advance(long nanos) {
        long end = now + nanos;
        nodes.stream()
                .filter(node -> node.disposal.time <= end)
                .sorted(Comparator.comparingLong(node -> node.disposal.time))
                .forEach(
                        node -> {
                            now = node.disposal.time;
                            dispose(nodes.indexOf(node), node.disposal.reason);
                        });
        now = end;
    }

    // ---- what must be seen ----

    /// {@return how and when each coroutine ended that has; of those that never began, nothing}
    Map<String, String> endedByNow() {
        var ended = new TreeMap<String, String>();
        for (var life : lives) {
            life.ends()
                    .forEach(
                            (id, end) -> {
                                if (end.time <= now && !end.how.isEmpty()) {
                                    ended.put(id, ending(id, end.how, end.time));
                                }
                            });
        }
        return ended;
    }

    /// {@return a line about an end. Why a child was cancelled is its block's business}
    static String ending(String id, String how, long time) {
        boolean isChild = id.contains(".");
        String seen = isChild && how.startsWith("cancelled") ? "cancelled" : how;
        return seen + " @" + time;
    }

    boolean isClosed(int scope) {
        return nodes.get(scope).closed;
    }

    boolean isSafe(int scope) {
        return nodes.get(scope).safe;
    }

    boolean isFinished(int scope) {
        return isClosed(scope) && active(scope) + zombies(scope) == 0;
    }

    int active(int scope) {
        long alive = 0;
        for (var life : inside(scope)) {
            alive += life.ends().values().stream().filter(end -> end.time > now).count();
        }
        return (int) alive - zombies(scope);
    }

    // A zombie's children are zombies with it.
    int zombies(int scope) {
        long alive = 0;
        for (var life : inside(scope)) {
            if (life.zombie) {
                alive += life.ends().values().stream().filter(end -> end.time > now).count();
            }
        }
        return (int) alive;
    }

    // ---- the tree ----

    private void closeAllBelow(int scope) {
        for (int each = 0; each < nodes.size(); each++) {
            if (isBelow(each, scope)) {
                nodes.get(each).closed = true;
            }
        }
    }

    private List<Life> inside(int scope) {
        return lives.stream().filter(life -> isBelow(life.scope, scope)).toList();
    }

    private boolean isBelow(int scope, int ancestor) {
        int each = scope;
        while (each != NO_PARENT && each != ancestor) {
            each = nodes.get(each).parent;
        }
        return each == ancestor;
    }

    // ---- one coroutine ----

    /// Writes down how and when it ends, and its children do.
    ///
    /// @return when it ends
    private static long live(
            String id,
            Program program,
            long begin,
            Cut cancelled,
            Cut disposed,
            Map<String, End> ends) {
        var whole = cancelled.orEarlier(disposed);
        if (whole.time <= begin) {
            ends.put(id, new End(begin, ""));
            return begin;
        }
        var layers = program.layers;
        int shield = layers.lastIndexOf(new Shield());
        var cut = first(layers, shield, begin, whole);
        // What is inside a shield is inside it with all that it spawned.
        var reaching = shield >= 0 ? Cut.NONE : disposed;
        long natural = childrenEnd(id, program, begin, reaching, new TreeMap<>());
        natural = Math.max(natural, begin + program.delay);
        End end;
        if (cut.time <= natural) {
            var both = reaching.orEarlier(cut);
            long last = childrenEnd(id, program, begin, both, ends);
            end = new End(Math.max(cut.time, last), cut.reason);
        } else {
            childrenEnd(id, program, begin, reaching, ends);
            end = new End(natural, leave(layers, shield, begin, natural, whole));
        }
        ends.put(id, end);
        return end.time;
    }

    private static long childrenEnd(
            String id, Program program, long begin, Cut disposed, Map<String, End> ends) {
        var children = program.children.orElse(List.of());
        long last = begin;
        for (int i = 0; i < children.size(); i++) {
            String child = id + "." + i;
            last = Math.max(last, live(child, children.get(i), begin, Cut.NONE, disposed, ends));
        }
        return last;
    }

    /// {@return how it ends after it has waited in peace: every shield that it leaves lets in what
    /// is due by then, up to the next shield; the outermost goes first}
    private static String leave(
            List<Layer> layers, int innermost, long begin, long time, Cut whole) {
        int inner = innermost;
        while (inner >= 0) {
            int outer = layers.subList(0, inner).lastIndexOf(new Shield());
            var found = Cut.NONE;
            for (int i = inner - 1; i > outer; i--) {
                if (layers.get(i) instanceof Limit(var nanos) && begin + nanos <= time) {
                    found = late(begin, nanos);
                }
            }
            if (outer < 0 && whole.time <= time) {
                found = cancelled(whole);
            }
            if (found != Cut.NONE) {
                return found.reason;
            }
            inner = outer;
        }
        return "done";
    }

    /// {@return what reaches the inside first: a limit inside of the shield, or, without a shield,
    /// the cancellation of the whole}
    private static Cut first(List<Layer> layers, int shield, long begin, Cut whole) {
        var first = shield >= 0 ? Cut.NONE : cancelled(whole);
        for (int i = layers.size() - 1; i > shield; i--) {
            if (layers.get(i) instanceof Limit(var nanos)) {
                first = late(begin, nanos).orEarlier(first);
            }
        }
        return first;
    }

    private static Cut cancelled(Cut whole) {
        return new Cut(whole.time, "cancelled: " + whole.reason);
    }

    private static Cut late(long begin, long nanos) {
        return new Cut(begin + nanos, "not done within " + Duration.ofNanos(nanos));
    }
}
