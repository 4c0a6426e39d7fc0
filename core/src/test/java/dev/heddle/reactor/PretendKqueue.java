package dev.heddle.reactor;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Kqueue;
import dev.heddle.sys.Stat;
import dev.heddle.sys.Sys;
import dev.heddle.sys.Timespec;
import dev.heddle.test.kernel.DelegatingSys;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A kernel with `kqueue(2)` in Java memory: filters, their edges and their errors, after the
/// manual pages and sources of FreeBSD and macOS. Descriptors are pretended too.
///
/// It reads and writes `struct kevent` by the offsets of the C struct, not through [Kqueue], so
/// that a wrong accessor shows. It never blocks: a wait that nothing ends advances [#nanos], and
/// one that nothing *can* end throws.
///
/// **Thread:** owner. Another thread may call while the owner waits for it to end.
final class PretendKqueue extends DelegatingSys {
    static final int KQ = 1000;

    private static final long IDENT = 0;
    private static final long FILTER = 8;
    private static final long FLAGS = 10;
    private static final long FFLAGS = 12;
    private static final long DATA = 16;
    private static final long UDATA = 24;

    private static final int EV_ADD = 1;
    private static final int EV_DELETE = 2;
    private static final int EV_CLEAR = 0x20;
    private static final int EV_RECEIPT = 0x40;
    private static final int EV_ERROR = 0x4000;
    private static final int EV_EOF = 0x8000;
    private static final int NOTE_LOWAT = 1;
    private static final int NOTE_TRIGGER = 0x01000000;

    private record Key(long ident, int filter) {}

    private static final class Knote {
        int flags;
        long udata;
        boolean queued;
        boolean endOnly;
    }

    /// Every system call that reached this kernel, as text.
    final List<String> calls = new ArrayList<>();

    /// The change list of the last `kevent`, byte for byte.
    String lastChanges = "";

    /// How long was waited in vain.
    long nanos;

    /// Runs when a wait finds nothing, before it goes to sleep.
    Runnable whileWaiting = () -> {};

    /// What the next call of this name answers instead of working: `kqueue`, `fcntl`, `kevent`.
    final Map<String, Integer> failures = new HashMap<>();

    /// What adding this filter answers, by `fd:FILTER`, such as `5:WRITE`.
    final Map<String, Integer> refusals = new HashMap<>();

    private final Map<Integer, Integer> kinds = new HashMap<>();
    private final Map<Key, Knote> knotes = new LinkedHashMap<>();
    private final Set<Key> holding = new HashSet<>();
    private final Set<Key> ended = new HashSet<>();
    private boolean interrupted;

    PretendKqueue() {
        super(Sys.NATIVE);
    }

    /// Makes a descriptor of this kind (`S_IF…`).
    void open(int fd, int kind) {
        kinds.put(fd, kind);
    }

    void openSocket(int fd) {
        open(fd, Stat.S_IFSOCK);
    }

    /// Closes a descriptor, which takes its filters out of the queue.
    void closeDescriptor(int fd) {
        kinds.remove(fd);
        knotes.keySet().removeIf(key -> key.filter() != Kqueue.EVFILT_USER && key.ident() == fd);
        holding.removeIf(key -> key.ident() == fd);
        ended.removeIf(key -> key.ident() == fd);
    }

    /// Something happened: the filter's condition holds from now on, and this is an edge.
    void activity(int fd, int filter) {
        var key = new Key(fd, filter);
        holding.add(key);
        var knote = knotes.get(key);
        if (knote != null) {
            enqueue(key, knote);
        }
    }

    /// The other side is gone.
    void end(int fd, int filter) {
        ended.add(new Key(fd, filter));
        activity(fd, filter);
    }

    /// The filter's condition holds no more: everything was read, or the buffer is full.
    void exhausted(int fd, int filter) {
        holding.remove(new Key(fd, filter));
    }

    /// The next wait that finds nothing is interrupted by a signal.
    void interruptNextWait() {
        interrupted = true;
    }

    /// {@return the calls since the last time this was asked}
    List<String> takeCalls() {
        var taken = List.copyOf(calls);
        calls.clear();
        return taken;
    }

    @Override
    public int kqueue(CallState state) {
        calls.add("kqueue");
        return failures.containsKey("kqueue") ? -failures.remove("kqueue") : KQ;
    }

    @Override
    public int close(CallState state, int fd) {
        calls.add("close " + fd);
        return 0;
    }

    @Override
    public int fcntl(CallState state, int fd, int command, int argument) {
        calls.add("fcntl " + fd + " " + command + " " + argument);
        return failures.containsKey("fcntl") ? -failures.remove("fcntl") : 0;
    }

    @Override
    public int fstat(CallState state, int fd, MemorySegment stat) {
        Integer kind = kinds.get(fd);
        if (kind == null) {
            return -Errno.EBADF;
        }
        stat.set(JAVA_SHORT, Stat.ST_MODE_OFFSET, (short) (kind | 0600));
        return 0;
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
        record(changes, changeCount, eventCount, timespec);
        if (kq != KQ) {
            return -Errno.EBADF;
        }
        if (failures.containsKey("kevent")) {
            return -failures.remove("kevent");
        }
        int answers = 0;
        for (int i = 0; i < changeCount; i++) {
            long at = i * Kqueue.KEVENT_SIZE;
            int errno = change(changes, at);
            int flags = changes.get(JAVA_SHORT, at + FLAGS);
            if (errno != 0 || (flags & EV_RECEIPT) != 0) {
                if (answers == eventCount) {
                    return -errno;
                }
                answer(events, answers++, changes, at, errno);
            }
        }
        return answers > 0 || eventCount == 0 ? answers : await(events, eventCount, timespec);
    }

    private int change(MemorySegment changes, long at) {
        long ident = changes.get(JAVA_LONG, at + IDENT);
        int filter = changes.get(JAVA_SHORT, at + FILTER);
        int flags = changes.get(JAVA_SHORT, at + FLAGS);
        var key = new Key(ident, filter);
        if (filter != Kqueue.EVFILT_USER && !kinds.containsKey((int) ident)) {
            return Errno.EBADF;
        }
        var knote = knotes.get(key);
        if (knote == null && (flags & EV_ADD) == 0) {
            return Errno.ENOENT;
        }
        if ((flags & EV_DELETE) != 0) {
            knotes.remove(key);
            return 0;
        }
        Integer refusal = refusals.get(ident + ":" + filterName(filter));
        if (refusal != null) {
            return refusal;
        }
        if (knote == null) {
            knote = new Knote();
            // Only now: a filter that is added again keeps its flags.
            knote.flags = flags & EV_CLEAR;
            knotes.put(key, knote);
        }
        knote.udata = changes.get(JAVA_LONG, at + UDATA);
        knote.endOnly =
                (changes.get(JAVA_INT, at + FFLAGS) & NOTE_LOWAT) != 0
                        && changes.get(JAVA_LONG, at + DATA) == Integer.MAX_VALUE;
        touch(key, knote, flags, changes.get(JAVA_INT, at + FFLAGS));
        return 0;
    }

    private void touch(Key key, Knote knote, int flags, int fflags) {
        if (key.filter() == Kqueue.EVFILT_USER) {
            if ((fflags & NOTE_TRIGGER) != 0) {
                holding.add(key);
            }
            if ((flags & EV_CLEAR) != 0) {
                holding.remove(key);
            }
        }
        if (holds(key, knote)) {
            enqueue(key, knote);
        }
    }

    private boolean holds(Key key, Knote knote) {
        return holding.contains(key) && (!knote.endOnly || ended.contains(key));
    }

    private void enqueue(Key key, Knote knote) {
        if (!knote.queued) {
            knote.queued = true;
            // Last in line.
            knotes.remove(key);
            knotes.put(key, knote);
        }
    }

    private int await(MemorySegment events, int eventCount, MemorySegment timespec) {
        int found = scan(events, eventCount);
        if (found > 0) {
            return found;
        }
        if (interrupted) {
            interrupted = false;
            return -Errno.EINTR;
        }
        boolean forEver = timespec.address() == 0;
        long timeout = forEver ? Long.MAX_VALUE : Timespec.nanos(timespec);
        if (timeout > 0) {
            whileWaiting.run();
            found = scan(events, eventCount);
        }
        if (found == 0) {
            if (forEver) {
                throw new IllegalStateException("deadlock: nothing can end this wait");
            }
            nanos += timeout;
        }
        return found;
    }

    private int scan(MemorySegment events, int eventCount) {
        int found = 0;
        for (var entry : List.copyOf(knotes.entrySet())) {
            var key = entry.getKey();
            var knote = entry.getValue();
            if (found == eventCount || !knote.queued) {
                continue;
            }
            knote.queued = false;
            if (!holds(key, knote)) {
                continue;
            }
            report(events, found++, key, knote);
            if ((knote.flags & EV_CLEAR) == 0) {
                enqueue(key, knote);
            } else if (key.filter() == Kqueue.EVFILT_USER) {
                holding.remove(key);
            }
        }
        return found;
    }

    private void report(MemorySegment events, int index, Key key, Knote knote) {
        int flags = EV_ADD | knote.flags | (ended.contains(key) ? EV_EOF : 0);
        write(events, index, key.ident(), key.filter(), flags, 1, knote.udata);
    }

    private static void answer(
            MemorySegment events, int index, MemorySegment changes, long at, int errno) {
        long ident = changes.get(JAVA_LONG, at + IDENT);
        int filter = changes.get(JAVA_SHORT, at + FILTER);
        write(events, index, ident, filter, EV_ERROR, errno, changes.get(JAVA_LONG, at + UDATA));
    }

    private static void write(
            MemorySegment events,
            int index,
            long ident,
            int filter,
            int flags,
            long data,
            long udata) {
        long at = index * Kqueue.KEVENT_SIZE;
        events.set(JAVA_LONG, at + IDENT, ident);
        events.set(JAVA_SHORT, at + FILTER, (short) filter);
        events.set(JAVA_SHORT, at + FLAGS, (short) flags);
        events.set(JAVA_INT, at + FFLAGS, 0);
        events.set(JAVA_LONG, at + DATA, data);
        events.set(JAVA_LONG, at + UDATA, udata);
    }

    private void record(
            MemorySegment changes, int changeCount, int eventCount, MemorySegment timespec) {
        var text = new ArrayList<String>();
        for (int i = 0; i < changeCount; i++) {
            text.add(describe(changes, i * Kqueue.KEVENT_SIZE));
        }
        String wait = timespec.address() == 0 ? "for ever" : Timespec.nanos(timespec) + " ns";
        calls.add("kevent " + text + " room " + eventCount + ", " + wait);
        byte[] bytes = new byte[(int) (changeCount * Kqueue.KEVENT_SIZE)];
        MemorySegment.copy(changes, 0, MemorySegment.ofArray(bytes), 0, bytes.length);
        lastChanges = HexFormat.of().formatHex(bytes);
    }

    private static String describe(MemorySegment changes, long at) {
        int flags = changes.get(JAVA_SHORT, at + FLAGS);
        int fflags = changes.get(JAVA_INT, at + FFLAGS);
        var text = new StringBuilder();
        text.append((flags & EV_ADD) == 0 ? "" : "+");
        text.append((flags & EV_DELETE) == 0 ? "" : "-");
        text.append(changes.get(JAVA_LONG, at + IDENT)).append(':');
        text.append(filterName(changes.get(JAVA_SHORT, at + FILTER)));
        text.append((flags & EV_CLEAR) == 0 ? "" : " CLEAR");
        text.append((flags & EV_RECEIPT) == 0 ? "" : " RECEIPT");
        text.append(fflags == 0 ? "" : " fflags " + Integer.toHexString(fflags));
        return text.append(" #").append(changes.get(JAVA_LONG, at + UDATA)).toString();
    }

    private static String filterName(int filter) {
        if (filter == Kqueue.EVFILT_USER) {
            return "USER";
        }
        return switch (filter) {
            case -1 -> "READ";
            case -2 -> "WRITE";
            case -15 -> "EXCEPT";
            default -> "filter " + filter;
        };
    }
}
