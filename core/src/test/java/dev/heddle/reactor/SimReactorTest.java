package dev.heddle.reactor;

import dev.heddle.testing.Descriptors;
import dev.heddle.testing.ScriptedWires;

final class SimReactorTest extends ReactorContract {
    @Override
    Reactor open() {
        return new SimReactor();
    }

    @Override
    Descriptors descriptors(Reactor reactor) {
        return new ScriptedWires((SimReactor) reactor);
    }
}
