package dev.heddle.reactor;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.heddle.sys.Sys;

import org.junit.jupiter.api.BeforeAll;

final class UringReactorTest extends KernelReactorContract {
    @BeforeAll
    static void skipLoudlyWhereItIsRefused() {
        UringReactor.refusal(Sys.NATIVE).ifPresent(UringReactorTest::skip);
    }

    private static void skip(String reason) {
        String message =
                "SKIPPED the contract on io_uring: "
                        + reason
                        + ". Run on Linux 6.1 or later, with kernel.io_uring_disabled=0 and a"
                        + " seccomp filter that allows it";
        System.err.println(message);
        abort(message);
    }

    @Override
    Reactor open(Sys sys) {
        return new UringReactor(sys);
    }
}
