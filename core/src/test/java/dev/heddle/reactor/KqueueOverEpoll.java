package dev.heddle.reactor;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Epoll;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Fd;
import dev.heddle.sys.Kqueue;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Sys;
import dev.heddle.sys.Timespec;
import dev.heddle.test.kernel.DelegatingSys;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// `kqueue(2)` on Linux, for real descriptors: one epoll per filter, so that every filter has edges
/// of its own, and an epoll over these, whose descriptor is the queue's.
///
/// Good for tests only: just the filters and flags that [KqueueReactor] uses, one waiting thread.
///
/// **Thread:** owner, except that any thread may trigger `EVFILT_USER`.
final class KqueueOverEpoll extends DelegatingSys {
    private static final int[] FILTERS = {
        Kqueue.EVFILT_READ, Kqueue.EVFILT_WRITE, Kqueue.EVFILT_EXCEPT
    };
    private static final int BATCH = 64;
    private static final long WAKE = 1;

    private final Map<Integer, Queue> queues = new ConcurrentHashMap<>();

    KqueueOverEpoll(Sys next) {
        super(next);
    }

    @Override
    public int kqueue(CallState state) {
        var queue = new Queue();
        int result = queue.open(state);
        if (result < 0) {
            queue.close(state);
            return result;
        }
        queues.put(queue.outer, queue);
        return queue.outer;
    }

    @Override
    public int kevent(
            CallState state,
            int kq,
            MemorySegment changes,
            int changeCount,
            MemorySegment events,
            int eventCount,
            MemorySegment timespec) {
        var queue = queues.get(kq);
        if (queue == null) {
            return -Errno.EBADF;
        }
        int answers = 0;
        for (int i = 0; i < changeCount; i++) {
            int errno = queue.change(state, changes, i);
            if (errno != 0 || (Kqueue.flags(changes, i) & Kqueue.EV_RECEIPT) != 0) {
                if (answers == eventCount) {
                    return -errno;
                }
                long udata = Kqueue.udata(changes, i);
                long ident = Kqueue.ident(changes, i);
                int filter = Kqueue.filter(changes, i);
                Kqueue.set(events, answers++, ident, filter, Kqueue.EV_ERROR, 0, errno, udata);
            }
        }
        boolean wait = answers == 0 && eventCount > 0;
        return wait ? queue.await(state, events, eventCount, timespec) : answers;
    }

    @Override
    public int close(CallState state, int fd) {
        var queue = queues.remove(fd);
        if (queue == null) {
            return super.close(state, fd);
        }
        queue.close(state);
        return 0;
    }

    /// What a queue is made of is not there for others, as a real one has no parts.
    @Override
    public int fstat(CallState state, int fd, MemorySegment stat) {
        boolean part = queues.values().stream().anyMatch(queue -> queue.parts.contains(fd));
        return part ? -Errno.EBADF : super.fstat(state, fd, stat);
    }

    private record Key(long fd, int filter) {}

    private static final class Knote {
        boolean clear;
        boolean endOnly;
        long udata;
    }

    private final class Queue {
        private final MemorySegment one = Memory.allocate(8);
        private final MemorySegment rest = Memory.allocate(16);
        private final MemorySegment event = Memory.allocate(Epoll.EVENT_SIZE);
        private final MemorySegment ready = Memory.allocate(BATCH * Epoll.EVENT_SIZE);
        private final Map<Key, Knote> knotes = new HashMap<>();
        private final Map<Integer, Integer> inner = new HashMap<>();
        private final List<Integer> parts = new ArrayList<>();
        private int outer = -1;
        private int wakeFd = -1;
        private volatile long wakeUdata;

        int open(CallState state) {
            one.set(JAVA_LONG, 0, 1);
            outer = part(epollCreate1(state, Epoll.EPOLL_CLOEXEC));
            for (int i = 0; i < FILTERS.length && parts.size() == i + 1; i++) {
                int fd = part(epollCreate1(state, Epoll.EPOLL_CLOEXEC));
                inner.put(FILTERS[i], fd);
            }
            wakeFd = part(KqueueOverEpoll.this.eventfd(state, 0, Fd.EFD_NONBLOCK | Fd.EFD_CLOEXEC));
            if (parts.size() < FILTERS.length + 2) {
                return -Errno.EMFILE;
            }
            for (int filter : FILTERS) {
                control(
                        state,
                        outer,
                        Epoll.EPOLL_CTL_ADD,
                        inner.get(filter),
                        Epoll.EPOLLIN,
                        filter);
            }
            int edge = Epoll.EPOLLIN | Epoll.EPOLLET;
            return control(state, outer, Epoll.EPOLL_CTL_ADD, wakeFd, edge, WAKE);
        }

        void close(CallState state) {
            parts.forEach(fd -> KqueueOverEpoll.super.close(state, fd));
            List.of(one, rest, event, ready).forEach(Memory::free);
        }

        int change(CallState state, MemorySegment changes, int index) {
            int flags = Kqueue.flags(changes, index);
            int fflags = Kqueue.fflags(changes, index);
            int filter = Kqueue.filter(changes, index);
            if (filter == Kqueue.EVFILT_USER) {
                wakeUdata = Kqueue.udata(changes, index);
                boolean trigger = (fflags & Kqueue.NOTE_TRIGGER) != 0;
                // A real queue needs no write for this, and so none that is interrupted.
                long result = trigger ? -Errno.EINTR : 0;
                while (result == -Errno.EINTR) {
                    result = write(state, wakeFd, one, 8);
                }
                return result < 0 ? (int) -result : 0;
            }
            var key = new Key(Kqueue.ident(changes, index), filter);
            int epfd = inner.get(filter);
            if ((flags & Kqueue.EV_DELETE) != 0) {
                knotes.remove(key);
                return -control(state, epfd, Epoll.EPOLL_CTL_DEL, (int) key.fd(), 0, 0);
            }
            return -add(state, epfd, key, changes, index);
        }

        private int add(CallState state, int epfd, Key key, MemorySegment changes, int index) {
            var knote = knotes.get(key);
            boolean there = knote != null;
            if (!there) {
                knote = new Knote();
                knote.clear = (Kqueue.flags(changes, index) & Kqueue.EV_CLEAR) != 0;
            }
            knote.udata = Kqueue.udata(changes, index);
            knote.endOnly = (Kqueue.fflags(changes, index) & Kqueue.NOTE_LOWAT) != 0;
            int op = there ? Epoll.EPOLL_CTL_MOD : Epoll.EPOLL_CTL_ADD;
            int result = control(state, epfd, op, (int) key.fd(), mask(key, knote), key.fd());
            if (result == -Errno.ENOENT) {
                // The old descriptor was closed, which took its filter away.
                knotes.remove(key);
                return add(state, epfd, key, changes, index);
            }
            if (result == 0) {
                knotes.put(key, knote);
            }
            return result;
        }

        int await(CallState state, MemorySegment events, int room, MemorySegment timespec) {
            boolean forEver = timespec.address() == 0;
            long end = forEver ? 0 : System.nanoTime() + Timespec.nanos(timespec);
            while (true) {
                long left = forEver ? -1 : Math.max(0, end - System.nanoTime());
                int found = waitFor(state, left);
                if (found <= 0) {
                    return found;
                }
                int written = collect(state, found, events, room);
                // A filter that epoll tells of and kqueue would not leaves nothing: go on.
                if (written != 0 || left == 0) {
                    return written;
                }
            }
        }

        private int waitFor(CallState state, long nanos) {
            if (nanos <= 0) {
                return epollWait(state, outer, ready, BATCH, nanos == 0 ? 0 : -1);
            }
            Timespec.set(rest, nanos);
            return epollPwait2(state, outer, ready, BATCH, rest);
        }

        private int collect(CallState state, int found, MemorySegment events, int room) {
            var filters = new ArrayList<Integer>();
            int written = 0;
            for (int i = 0; i < found; i++) {
                int filter = (int) Epoll.data(ready, i);
                if (filter == WAKE) {
                    Kqueue.set(events, written++, 0, Kqueue.EVFILT_USER, 0, 0, 0, wakeUdata);
                } else {
                    filters.add(filter);
                }
            }
            for (int filter : filters) {
                int max = Math.min(room - written, BATCH);
                int count = max == 0 ? 0 : epollWait(state, inner.get(filter), ready, max, 0);
                for (int i = 0; i < count; i++) {
                    var key = new Key(Epoll.data(ready, i), filter);
                    written = report(events, written, key, Epoll.events(ready, i));
                }
            }
            return written;
        }

        private int report(MemorySegment events, int at, Key key, int bits) {
            int gone = Epoll.EPOLLHUP | Epoll.EPOLLERR;
            int end = key.filter() == Kqueue.EVFILT_READ ? gone | Epoll.EPOLLRDHUP : gone;
            boolean exceptional = key.filter() == Kqueue.EVFILT_EXCEPT;
            if (exceptional && (bits & Epoll.EPOLLPRI) == 0) {
                return at;
            }
            int flags = !exceptional && (bits & end) != 0 ? Kqueue.EV_EOF : 0;
            Kqueue.set(events, at, key.fd(), key.filter(), flags, 0, 0, knotes.get(key).udata);
            return at + 1;
        }

        private int mask(Key key, Knote knote) {
            int mask = knote.clear ? Epoll.EPOLLET : 0;
            if (key.filter() == Kqueue.EVFILT_READ) {
                return mask | Epoll.EPOLLRDHUP | (knote.endOnly ? 0 : Epoll.EPOLLIN);
            }
            boolean write = key.filter() == Kqueue.EVFILT_WRITE;
            return mask | (write ? Epoll.EPOLLOUT : Epoll.EPOLLPRI);
        }

        private int control(CallState state, int epfd, int op, int fd, int mask, long data) {
            Epoll.set(event, mask, data);
            return epollCtl(state, epfd, op, fd, event);
        }

        private int part(int fd) {
            if (fd >= 0) {
                parts.add(fd);
            }
            return fd;
        }
    }
}
