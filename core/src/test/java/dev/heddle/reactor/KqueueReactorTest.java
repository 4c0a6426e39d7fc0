package dev.heddle.reactor;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.sys.Kqueue;
import dev.heddle.sys.Sys;

final class KqueueReactorTest extends KernelReactorContract {
    @Override
    Reactor open(Sys sys) {
        var refusal = KqueueReactor.refusal(Sys.NATIVE);
        assumeTrue(
                refusal.isEmpty(),
                () ->
                        "no kqueue(2) here ("
                                + refusal.get()
                                + "): run on a BSD or macOS, or name a library that has it with -D"
                                + Kqueue.LIBRARY_PROPERTY
                                + "=…");
        return new KqueueReactor(sys);
    }

    @Override
    boolean seesUrgentData() {
        return Kqueue.hasExcept();
    }
}
