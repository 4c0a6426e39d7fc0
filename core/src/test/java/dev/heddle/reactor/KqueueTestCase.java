package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.sys.Memory;

import org.junit.jupiter.api.AfterEach;

import java.io.IOException;
import java.util.List;

/// A [KqueueReactor] with urgent data on a [PretendKqueue] with the sockets 3 to 9, and a check
/// that closing it gives everything back.
abstract class KqueueTestCase {
    /// What making the kqueue costs, once.
    static final List<String> OPENING =
            List.of("kqueue", "fcntl 1000 2 1", "kevent [+0:USER CLEAR #-1] room 0, 0 ns");

    private final long memoryBefore = Memory.inUse();
    final PretendKqueue kernel = new PretendKqueue();
    final KqueueReactor reactor = new KqueueReactor(kernel, true);
    final ReadyEvents out = new ReadyEvents(8);

    KqueueTestCase() {
        for (int fd = 3; fd <= 9; fd++) {
            kernel.openSocket(fd);
        }
    }

    @AfterEach
    void everythingIsGivenBack() {
        reactor.close();
        assertEquals(memoryBefore, Memory.inUse(), "native memory");
    }

    /// Makes the kqueue, and forgets what that cost.
    void opened() throws IOException {
        reactor.poll(out, 0);
        kernel.takeCalls();
    }

    /// {@return what a poll that does not wait reports}
    String poll() throws IOException {
        assertEquals(reactor.poll(out, 0), out.count());
        return out.toString();
    }

    /// {@return the system calls of a poll that does not wait}
    List<String> callsOfPoll() throws IOException {
        kernel.takeCalls();
        reactor.poll(out, 0);
        return kernel.takeCalls();
    }
}
