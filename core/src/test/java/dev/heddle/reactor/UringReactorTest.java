package dev.heddle.reactor;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.sys.Sys;

final class UringReactorTest extends KernelReactorContract {
    @Override
    Reactor open(Sys sys) {
        var refusal = UringReactor.refusal(Sys.NATIVE);
        assumeTrue(refusal.isEmpty(), () -> "this kernel has no io_uring for us: " + refusal.get());
        return new UringReactor(sys);
    }
}
