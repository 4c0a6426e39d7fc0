package dev.heddle.reactor;

import dev.heddle.sys.Sys;

final class PollReactorTest extends KernelReactorContract {
    @Override
    Reactor open(Sys sys) {
        return new PollReactor(sys);
    }
}
