package dev.heddle;

import dev.heddle.event.Event;
import dev.heddle.event.Waker;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/// Looks for a circle of waits through one coroutine: it can only be woken by others that can only
/// be woken by it.
///
/// **Thread:** loop; made for one search.
final class Cycle {
    /*
     * A graph of who can be woken by what:
     *
     *   coroutine   can go on as soon as ONE of the events it waits for happens
     *   scope       is done only when ALL that is counted in it has ended
     *
     * From `self` on it is walked along the waits. What is certainly not stuck is alive: a coroutine
     * that runs, is queued or sleeps in the JDK, a wait with a timeout or a token, any event that is
     * neither coroutine nor scope. Life is handed back along the edges until nothing changes; the walk
     * ends early when it reaches `self`. Whatever is not alive then is stuck, and those of them from
     * which a way leads back to `self` are the circle. Both walks are loops over lists: a circle may
     * have thousands of members.
     */
    private static final int NODES_MAX = 10_000;

    private final IdentityHashMap<Event<?>, Node> nodes = new IdentityHashMap<>();
    private final List<Node> order = new ArrayList<>();
    private final ArrayDeque<Node> revived = new ArrayDeque<>();
    private final Node self;

    private Cycle(Coroutine<?> self) {
        this.self = node(self);
    }

    /// {@return the members, `self` first; none if it is in no circle, or in one too big to find}
    static List<Coroutine<?>> through(Coroutine<?> self) {
        var search = new Cycle(self);
        return search.isStuck() ? search.members() : List.of();
    }

    private boolean isStuck() {
        // The list grows while it is walked.
        for (int i = 0; i < order.size() && !self.alive; i++) {
            expand(order.get(i));
            handOn();
            if (order.size() > NODES_MAX) {
                return false;
            }
        }
        return !self.alive;
    }

    private void expand(Node node) {
        switch (node.event) {
            case Coroutine<?> coroutine -> expandWait(node, coroutine);
            case ScopeNode scope -> expandScope(node, scope, false);
            case ScopeNode.Gone gone -> expandScope(node, gone.scope(), true);
            default -> throw new AssertionError("no node of the graph: " + node.event.info());
        }
    }

    private void expandWait(Node node, Coroutine<?> coroutine) {
        Fiber fiber = coroutine.fiber();
        if (fiber.state() != Waker.State.WAITING
                || !fiber.isPatient()
                || Frame.isLimited(coroutine)) {
            revive(node);
        } else {
            fiber.awaited(event -> alternative(node, event));
        }
    }

    private void alternative(Node waiter, Event<?> event) {
        if (waiter.alive || event.is(Event.CLOSED)) {
            // One that has happened and did not end the wait is none any more.
            return;
        }
        if (isInGraph(event)) {
            link(waiter, event);
        } else {
            revive(waiter);
        }
    }

    private void expandScope(Node node, ScopeNode scope, boolean zombiesToo) {
        // One more than there are, until all are counted.
        node.needed = 1;
        scope.everyCoroutine(
                each -> {
                    if (zombiesToo || scope.waitsFor(each)) {
                        node.needed++;
                        link(node, each);
                    }
                    return order.size() <= NODES_MAX;
                });
        oneAlive(node);
    }

    private void link(Node waiter, Event<?> event) {
        Node target = node(event);
        if (target.alive) {
            oneAlive(waiter);
        } else {
            target.waiters.add(waiter);
        }
    }

    private Node node(Event<?> event) {
        return nodes.computeIfAbsent(
                event,
                _ -> {
                    var node = new Node(event);
                    order.add(node);
                    return node;
                });
    }

    private void oneAlive(Node waiter) {
        if (waiter.event instanceof Coroutine || --waiter.needed == 0) {
            revive(waiter);
        }
    }

    private void revive(Node node) {
        if (!node.alive) {
            node.alive = true;
            revived.add(node);
        }
    }

    private void handOn() {
        for (Node node = revived.poll(); node != null; node = revived.poll()) {
            node.waiters.forEach(this::oneAlive);
            node.waiters.clear();
        }
    }

    private List<Coroutine<?>> members() {
        var back = new ArrayDeque<Node>();
        back.add(self);
        for (Node node = back.poll(); node != null; node = back.poll()) {
            for (Node waiter : node.waiters) {
                if (!waiter.alive && !waiter.inCircle) {
                    waiter.inCircle = true;
                    back.add(waiter);
                }
            }
        }
        if (!self.inCircle) {
            return List.of();
        }
        var members = new ArrayList<Coroutine<?>>();
        for (Node node : order) {
            if (node.inCircle && node.event instanceof Coroutine<?> coroutine) {
                members.add(coroutine);
            }
        }
        return members;
    }

    /// {@return whether waiting for `event` can be a link of a circle}
    static boolean isInGraph(Event<?> event) {
        return event instanceof Coroutine
                || event instanceof ScopeNode
                || event instanceof ScopeNode.Gone;
    }

    private static final class Node {
        private final Event<?> event;
        private final List<Node> waiters = new ArrayList<>(2);
        // Of a scope: how many of its members are not known to be alive.
        private int needed;
        private boolean alive;
        private boolean inCircle;

        private Node(Event<?> event) {
            this.event = event;
        }
    }
}
