package dev.heddle.reactor;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.heddle.sys.Kqueue;
import dev.heddle.sys.Sys;

import org.junit.jupiter.api.BeforeAll;

final class KqueueReactorTest extends KernelReactorContract {
    @BeforeAll
    static void skipLoudlyWhereThereIsNone() {
        KqueueReactor.refusal(Sys.NATIVE).ifPresent(KqueueReactorTest::skip);
    }

    private static void skip(String reason) {
        String message =
                "SKIPPED the contract on a real kqueue(2): "
                        + reason
                        + ". Run on a BSD or macOS, or name a library that has it: -D"
                        + Kqueue.LIBRARY_PROPERTY
                        + "=/path/to/libkqueue.so";
        System.err.println(message);
        abort(message);
    }

    @Override
    Reactor open(Sys sys) {
        return new KqueueReactor(sys);
    }

    @Override
    boolean seesUrgentData() {
        return Kqueue.hasExcept();
    }
}
