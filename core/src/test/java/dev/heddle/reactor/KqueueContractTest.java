package dev.heddle.reactor;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.sys.Platform;
import dev.heddle.sys.Sys;

/// The contract on real descriptors where there is no kqueue: the reactor is the real one, the
/// kernel's side is made of epolls.
final class KqueueContractTest extends KernelReactorContract {
    @Override
    Reactor open(Sys sys) {
        assumeTrue(Platform.isLinux(), "epoll is Linux's; KqueueReactorTest has the real thing");
        return new KqueueReactor(new KqueueOverEpoll(sys), true);
    }
}
