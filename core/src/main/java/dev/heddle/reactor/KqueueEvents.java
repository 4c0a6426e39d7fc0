package dev.heddle.reactor;

import dev.heddle.sys.Errno;
import dev.heddle.sys.Kqueue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// The list of events that `kevent(2)` filled, decoded: readiness, refused changes, wake-ups.
///
/// The kernel reports one event per direction; those of one descriptor become one.
///
/// **Thread:** loop.
final class KqueueEvents {
    private final KqueueFilters filters;
    private final MemorySegment list;

    // Where in `out` a descriptor's event is, if `reported` at that place agrees. What an earlier
    // poll left never agrees, or lies beyond `out`, so nothing has to be cleared.
    private final int[] reported;
    private int[] places = new int[16];

    KqueueEvents(KqueueFilters filters, MemorySegment list) {
        this.filters = filters;
        this.list = list;
        reported = new int[(int) (list.byteSize() / Kqueue.KEVENT_SIZE)];
    }

    /// Reads the first `count` events (none if negative) into `out`, which has room for as many.
    ///
    /// @return whether a wake-up was among them
    boolean decode(int count, ReadyEvents out) {
        boolean woken = false;
        for (int i = 0; i < count; i++) {
            int flags = Kqueue.flags(list, i);
            int filter = Kqueue.filter(list, i);
            if ((flags & Kqueue.EV_ERROR) != 0) {
                decodeReceipt(i, out);
            } else if (filter == Kqueue.EVFILT_USER) {
                woken = true;
            } else {
                int end = (flags & Kqueue.EV_EOF) == 0 ? 0 : Interest.HUNG_UP;
                report(i, KqueueFilters.direction(filter) | end, out);
            }
        }
        return woken;
    }

    private void decodeReceipt(int index, ReadyEvents out) {
        int errno = (int) Kqueue.data(list, index);
        int fd = (int) Kqueue.ident(list, index);
        // ENOENT: a delete of what the kernel had dropped by itself.
        boolean fine = errno == 0 || errno == Errno.ENOENT;
        if (fine || !filters.refused(fd, Kqueue.filter(list, index))) {
            return;
        }
        report(index, Interest.HUNG_UP, out);
        if (errno == Errno.ENOMEM) {
            // The owner will look and find nothing. So that no edge is lost, every poll tries
            // again.
            filters.fallBehind(fd);
        }
    }

    private void report(int index, int bits, ReadyEvents out) {
        int fd = (int) Kqueue.ident(list, index);
        if (fd >= places.length) {
            places = Arrays.copyOf(places, Math.max(fd + 1, places.length * 2));
        }
        int place = places[fd];
        if (place < out.count() && reported[place] == fd) {
            out.merge(place, bits);
            return;
        }
        places[fd] = out.count();
        reported[out.count()] = fd;
        out.add(Kqueue.udata(list, index), bits);
    }
}
