package dev.heddle.reactor;

import dev.heddle.sys.Sys;

final class EpollReactorTest extends KernelReactorContract {
    @Override
    Reactor open(Sys sys) {
        return new EpollReactor(sys);
    }
}
