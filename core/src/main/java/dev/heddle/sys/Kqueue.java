package dev.heddle.sys;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Optional;

/// BSD `kqueue(2)`: the two calls and `struct kevent`.
///
/// The functions come from the C library, or from the library that the system property
/// `heddle.kqueue.library` names (libkqueue offers kqueue on Linux). Without either, both calls
/// answer `-ENOSYS`.
///
/// **Thread:** any, each with its own [CallState].
public final class Kqueue {
    public static final short EVFILT_READ = -1;
    public static final short EVFILT_WRITE = -2;

    // Apple numbered EVFILT_USER before FreeBSD did; libkqueue follows FreeBSD.
    public static final short EVFILT_USER = (short) (Platform.isMac() ? -10 : -11);

    /// Apple's filter for urgent data. Other systems have none under this number: see [#hasExcept].
    public static final short EVFILT_EXCEPT = -15;

    public static final short EV_ADD = 0x0001;
    public static final short EV_DELETE = 0x0002;
    public static final short EV_CLEAR = 0x0020;
    public static final short EV_RECEIPT = 0x0040;
    public static final short EV_ERROR = 0x4000;
    public static final short EV_EOF = (short) 0x8000;
    public static final int NOTE_TRIGGER = 0x01000000;
    public static final int NOTE_LOWAT = 0x00000001;
    public static final int NOTE_OOB = 0x00000002;

    /// Apple's kernel cuts a timeout down to whole microseconds, so a wait could end early. Who
    /// must not be early rounds up to this.
    public static final long TIMEOUT_GRAIN_NANOS = Platform.isMac() ? 1_000 : 1;

    /// Longer timeouts than these three years are `EINVAL` on Apple's kernel.
    public static final long TIMEOUT_SECONDS_MAX = 100_000_000;

    /// The property that names a library with `kqueue` and `kevent` in it.
    public static final String LIBRARY_PROPERTY = "heddle.kqueue.library";

    // FreeBSD 12 added `ext` (always zero here); macOS and libkqueue have the short form.
    public static final StructLayout KEVENT = layout(Platform.isFreeBsd());
    public static final long KEVENT_SIZE = KEVENT.byteSize();

    private static final long IDENT = KEVENT.byteOffset(groupElement("ident"));
    private static final long FILTER = KEVENT.byteOffset(groupElement("filter"));
    private static final long FLAGS = KEVENT.byteOffset(groupElement("flags"));
    private static final long FFLAGS = KEVENT.byteOffset(groupElement("fflags"));
    private static final long DATA = KEVENT.byteOffset(groupElement("data"));
    private static final long UDATA = KEVENT.byteOffset(groupElement("udata"));

    private static final FunctionDescriptor KQUEUE_SHAPE = FunctionDescriptor.of(JAVA_INT);
    private static final FunctionDescriptor KEVENT_SHAPE =
            FunctionDescriptor.of(
                    JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS);

    private Kqueue() {}

    /// {@return whether [#EVFILT_EXCEPT] exists here}
    public static boolean hasExcept() {
        return Platform.isMac();
    }

    /// {@return why the two functions cannot be called here, or nothing if they can}
    public static Optional<String> missing() {
        return Calls.MISSING;
    }

    public static int kqueue(CallState state) {
        var call = Calls.KQUEUE;
        if (call == null) {
            return -Errno.ENOSYS;
        }
        try {
            return state.fold((int) call.invokeExact(state.segment()));
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    public static int kevent(
            CallState state,
            int kq,
            MemorySegment changes,
            int changeCount,
            MemorySegment events,
            int eventCount,
            MemorySegment timespec) {
        var call = Calls.KEVENT;
        if (call == null) {
            return -Errno.ENOSYS;
        }
        try {
            return state.fold(
                    (int)
                            call.invokeExact(
                                    state.segment(),
                                    kq,
                                    changes,
                                    changeCount,
                                    events,
                                    eventCount,
                                    timespec));
        } catch (Throwable cause) {
            throw Native.unreachable(cause);
        }
    }

    /// Writes the change at `index`, in the order of `EV_SET`.
    public static void set(
            MemorySegment array,
            int index,
            long ident,
            int filter,
            int flags,
            int fflags,
            long data,
            long udata) {
        long at = index * KEVENT_SIZE;
        array.set(JAVA_LONG, at + IDENT, ident);
        array.set(JAVA_SHORT, at + FILTER, (short) filter);
        array.set(JAVA_SHORT, at + FLAGS, (short) flags);
        array.set(JAVA_INT, at + FFLAGS, fflags);
        array.set(JAVA_LONG, at + DATA, data);
        array.set(JAVA_LONG, at + UDATA, udata);
    }

    public static long ident(MemorySegment array, int index) {
        return array.get(JAVA_LONG, index * KEVENT_SIZE + IDENT);
    }

    public static short filter(MemorySegment array, int index) {
        return array.get(JAVA_SHORT, index * KEVENT_SIZE + FILTER);
    }

    public static short flags(MemorySegment array, int index) {
        return array.get(JAVA_SHORT, index * KEVENT_SIZE + FLAGS);
    }

    public static int fflags(MemorySegment array, int index) {
        return array.get(JAVA_INT, index * KEVENT_SIZE + FFLAGS);
    }

    public static long data(MemorySegment array, int index) {
        return array.get(JAVA_LONG, index * KEVENT_SIZE + DATA);
    }

    public static long udata(MemorySegment array, int index) {
        return array.get(JAVA_LONG, index * KEVENT_SIZE + UDATA);
    }

    static StructLayout layout(boolean freeBsd) {
        var common =
                MemoryLayout.structLayout(
                        JAVA_LONG.withName("ident"),
                        JAVA_SHORT.withName("filter"),
                        JAVA_SHORT.withName("flags"),
                        JAVA_INT.withName("fflags"),
                        JAVA_LONG.withName("data"),
                        JAVA_LONG.withName("udata"));
        if (!freeBsd) {
            return common;
        }
        var members = new ArrayList<MemoryLayout>(common.memberLayouts());
        members.add(MemoryLayout.sequenceLayout(4, JAVA_LONG).withName("ext"));
        return MemoryLayout.structLayout(members.toArray(MemoryLayout[]::new));
    }

    // A holder, so that the property is read and the library loaded only when asked for.
    private static final class Calls {
        static final Optional<String> MISSING;
        static final @Nullable MethodHandle KQUEUE;
        static final @Nullable MethodHandle KEVENT;

        static {
            String library = System.getProperty(LIBRARY_PROPERTY);
            String place = library == null ? "the C library" : library;
            SymbolLookup lookup = _ -> Optional.empty();
            Optional<String> missing = Optional.empty();
            try {
                lookup = library == null ? Native.libc() : Native.library(library);
            } catch (IllegalArgumentException cause) {
                missing = Optional.of(LIBRARY_PROPERTY + ": " + cause.getMessage());
            }
            boolean found = lookup.find("kqueue").isPresent() && lookup.find("kevent").isPresent();
            if (!found && missing.isEmpty()) {
                missing = Optional.of("kqueue: no such function in " + place);
            }
            MISSING = missing;
            KQUEUE = found ? Native.bind(lookup, "kqueue", KQUEUE_SHAPE) : null;
            KEVENT = found ? Native.bind(lookup, "kevent", KEVENT_SHAPE) : null;
        }
    }
}
