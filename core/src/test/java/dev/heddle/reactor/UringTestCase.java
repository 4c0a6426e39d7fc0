package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Platform;
import dev.heddle.sys.Sqe;
import dev.heddle.sys.Sys;
import dev.heddle.sys.UringParams;
import dev.heddle.test.kernel.DelegatingSys;
import dev.heddle.testing.Descriptors;
import dev.heddle.testing.Libc;
import dev.heddle.testing.Pipes;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// An io_uring reactor before each test, and the words for its operations.
abstract class UringTestCase extends ReactorTestCase {
    final Completions completions = new Completions(64);

    @Override
    Reactor open() {
        assumeTrue(Platform.isLinux(), "io_uring is Linux's");
        var refusal = UringReactor.refusal(Sys.NATIVE);
        assumeTrue(refusal.isEmpty(), () -> "this kernel has no io_uring for us: " + refusal.get());
        return open(Sys.NATIVE);
    }

    @Override
    Descriptors descriptors(Reactor reactor) {
        return new Pipes();
    }

    /// Goes on with a reactor on this kernel instead of the one of the set-up.
    void reopen(Sys sys) {
        reactor.close();
        reactor = open(sys);
    }

    Ring ring() {
        return reactor.ring().orElseThrow();
    }

    Libc.Pair pipe() {
        return ((Pipes) descriptors).pipe();
    }

    void nop(long tag) throws IOException {
        Sqe.nop(ring().prepare(tag));
    }

    void read(long tag, int fd, MemorySegment buffer) throws IOException {
        Sqe.read(ring().prepare(tag), fd, buffer, (int) buffer.byteSize(), -1);
    }

    /// What has completed, as `tag:result`, in the order in which it did.
    List<String> completed() {
        var seen = new ArrayList<String>();
        for (int i = 0; i < completions.count(); i++) {
            seen.add(completions.tag(i) + ":" + completions.result(i));
        }
        completions.clear();
        return seen;
    }

    /// Runs `body` with native memory that is freed afterwards.
    static void withBuffer(int bytes, BufferTest body) throws Exception {
        var buffer = Memory.allocate(bytes);
        try {
            body.run(buffer);
        } finally {
            Memory.free(buffer);
        }
    }

    /// The writer of a pipe is gone, and with it every hidden reference to it: the reader sees the
    /// end.
    static void assertEndOfPipe(int reader) {
        assertEquals(0, Libc.read(reader, 1), "somebody still holds the pipe's other end");
    }

    private Reactor open(Sys sys) {
        var opened = new UringReactor(sys);
        opened.ring().orElseThrow().deliverTo(completions);
        return opened;
    }

    /// Four submissions and eight completions, whatever is asked for.
    static final class SmallRings extends DelegatingSys {
        @Override
        public int ioUringSetup(CallState state, int entries, MemorySegment params) {
            UringParams.ask(params, UringParams.flags(params), 8);
            return super.ioUringSetup(state, 4, params);
        }
    }

    interface BufferTest {
        void run(MemorySegment buffer) throws Exception;
    }
}
