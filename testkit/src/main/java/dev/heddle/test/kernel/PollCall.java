package dev.heddle.test.kernel;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.heddle.sys.Poll;

import java.lang.foreign.MemorySegment;

/// One look of `poll(2)` at its array.
///
/// **Thread:** owner (whoever holds the kernel's lock).
final class PollCall {
    private static final long EVENTS = Poll.POLLFD.byteOffset(groupElement("events"));
    private static final long REVENTS = Poll.POLLFD.byteOffset(groupElement("revents"));
    private static final int ALWAYS = Poll.POLLERR | Poll.POLLHUP;

    private PollCall() {}

    /// Fills in every `revents`.
    ///
    /// @return how many are not 0
    static int look(FdNumbers numbers, MemorySegment array, int count) {
        int found = 0;
        for (int i = 0; i < count; i++) {
            int asked = array.get(JAVA_SHORT, i * Poll.POLLFD_SIZE + EVENTS);
            int revents = revents(numbers, Poll.fd(array, i), asked);
            array.set(JAVA_SHORT, i * Poll.POLLFD_SIZE + REVENTS, (short) revents);
            found += revents == 0 ? 0 : 1;
        }
        return found;
    }

    private static int revents(FdNumbers numbers, int fd, int asked) {
        if (fd < 0) {
            return 0;
        }
        var file = numbers.find(fd);
        return file == null ? Poll.POLLNVAL : file.readiness() & (asked | ALWAYS);
    }
}
