package dev.heddle;

import dev.heddle.event.Event;
import dev.heddle.event.Waker;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/// Who waits for a coroutine, for those who wait for it, and so on: a short look backwards that
/// tells most waits that are in no circle from those that may be.
///
/// It spares the way forwards, which can be long: thousands of coroutines that all wait for one
/// that waits for a big scope would walk through that scope each. Backwards there is usually nobody
/// but the hosts of the scopes around.
///
/// **Thread:** loop; made for one look.
final class Dependents {
    private static final int VISITED_MAX = 64;

    private final Coroutine<?> self;
    private final Set<Object> visited = Collections.newSetFromMap(new IdentityHashMap<>());
    private final ArrayDeque<Coroutine<?>> toVisit = new ArrayDeque<>();
    private boolean found;

    private Dependents(Coroutine<?> self) {
        this.self = self;
    }

    /// {@return whether `self`, which waits already, may be among those who wait for it; true also
    /// if they are too many to say}
    static boolean mayInclude(Coroutine<?> self) {
        var look = new Dependents(self);
        look.toVisit.add(self);
        for (var next = look.toVisit.poll(); next != null; next = look.toVisit.poll()) {
            look.visit(next);
            if (look.found) {
                return true;
            }
        }
        return false;
    }

    private void visit(Coroutine<?> coroutine) {
        addWaiters(coroutine);
        ScopeNode scope = coroutine.home();
        while (scope != null && !found && visited.add(scope)) {
            addWaiters(scope);
            addWaiters(scope.gone);
            found |= visited.size() > VISITED_MAX;
            scope = scope.parent;
        }
    }

    private void addWaiters(Event<?> event) {
        Waker.everyWaiter(event, this::add);
    }

    private boolean add(Waker waker) {
        if (waker instanceof Fiber fiber) {
            Coroutine<?> waiter = fiber.coroutine;
            if (visited.add(waiter)) {
                toVisit.add(waiter);
            }
            found |= waiter == self || visited.size() > VISITED_MAX;
        }
        return !found;
    }
}
