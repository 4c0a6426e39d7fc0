package dev.heddle.testing;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.heddle.sys.Errno;
import dev.heddle.sys.Fd;
import dev.heddle.sys.Platform;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// C calls that only tests make. Each works or fails the test, except [#read] and [#write], whose
/// errors tests look at.
///
/// Bound by reflection on the arguments: slow, and short to read.
///
/// **Thread:** any.
public final class Libc {
    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int SOCK_STREAM = 1;
    private static final int MSG_OOB = 1;
    private static final int SHUT_WR = 1;
    private static final int ADDRESS_SIZE = 16;
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO = STATE.byteOffset(PathElement.groupElement("errno"));
    private static final Set<String> LONG_RESULT = Set.of("read", "write", "send", "recv");
    private static final Set<String> VARIADIC = Set.of("open", "fcntl");
    private static final Map<String, MethodHandle> BOUND = new ConcurrentHashMap<>();

    /// Two descriptors that belong together.
    public record Pair(int first, int second) {}

    private Libc() {}

    public static void close(int fd) {
        must("close", fd);
    }

    /// Makes `number` another name of `fd`, closing what `number` was.
    public static void dup2(int fd, int number) {
        must("dup2", fd, number);
    }

    /// {@return a non-blocking pipe: the end to read, the end to write}
    public static Pair pipe() {
        try (var arena = Arena.ofConfined()) {
            var array = arena.allocate(8, 4);
            must("pipe", array);
            return nonblocking(array.getAtIndex(JAVA_INT, 0), array.getAtIndex(JAVA_INT, 1));
        }
    }

    /// {@return two connected non-blocking Unix stream sockets}
    public static Pair socketPair() {
        try (var arena = Arena.ofConfined()) {
            var array = arena.allocate(8, 4);
            must("socketpair", AF_UNIX, SOCK_STREAM, 0, array);
            return nonblocking(array.getAtIndex(JAVA_INT, 0), array.getAtIndex(JAVA_INT, 1));
        }
    }

    /// {@return two connected non-blocking TCP sockets on the loopback interface}
    public static Pair tcpPair() {
        try (var arena = Arena.ofConfined()) {
            var address = arena.allocate(ADDRESS_SIZE, 4);
            // The BSDs have a length byte and a family byte; Linux has a family of two bytes.
            address.set(JAVA_BYTE, Platform.isLinux() ? 0 : 1, (byte) AF_INET);
            MemorySegment.copy(LOOPBACK, 0, address, JAVA_BYTE, 4, LOOPBACK.length);
            int listener = must("socket", AF_INET, SOCK_STREAM, 0);
            must("bind", listener, address, ADDRESS_SIZE);
            must("listen", listener, 1);
            must("getsockname", listener, address, arena.allocateFrom(JAVA_INT, ADDRESS_SIZE));
            int client = must("socket", AF_INET, SOCK_STREAM, 0);
            must("connect", client, address, ADDRESS_SIZE);
            int server = must("accept", listener, MemorySegment.NULL, MemorySegment.NULL);
            close(listener);
            return nonblocking(client, server);
        }
    }

    /// {@return a descriptor of the file or directory at `path`, for reading}
    public static int open(String path) {
        try (var arena = Arena.ofConfined()) {
            return must("open", arena.allocateFrom(path), 0, 0);
        }
    }

    /// {@return how many bytes were read, 0 at the end, or `-errno`}
    public static int read(int fd, int length) {
        try (var arena = Arena.ofConfined()) {
            return call("read", fd, arena.allocate(length), (long) length);
        }
    }

    /// {@return how many zero bytes were written, or `-errno`}
    public static int write(int fd, int length) {
        try (var arena = Arena.ofConfined()) {
            return call("write", fd, arena.allocate(length), (long) length);
        }
    }

    /// Sends the end of the stream; the other direction stays open.
    public static void shutdownWrites(int fd) {
        must("shutdown", fd, SHUT_WR);
    }

    /// Sends one byte as `MSG_OOB`.
    public static void sendUrgent(int fd) {
        try (var arena = Arena.ofConfined()) {
            must("send", fd, arena.allocate(1), 1L, MSG_OOB);
        }
    }

    /// Sends this process a signal.
    public static void signal(int number) {
        must("kill", (int) ProcessHandle.current().pid(), number);
    }

    /// {@return the kernel's number of the calling thread; Linux only}
    public static int threadId() {
        return must("gettid");
    }

    private static Pair nonblocking(int first, int second) {
        must("fcntl", first, Fd.F_SETFL, Fd.O_NONBLOCK);
        must("fcntl", second, Fd.F_SETFL, Fd.O_NONBLOCK);
        return new Pair(first, second);
    }

    private static int must(String name, Object... arguments) {
        int result = call(name, arguments);
        if (result < 0) {
            throw new AssertionError(name + List.of(arguments) + ": " + Errno.describe(-result));
        }
        return result;
    }

    private static int call(String name, Object... arguments) {
        var handle = BOUND.computeIfAbsent(name, _ -> bind(name, arguments));
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(STATE);
            var all = new ArrayList<Object>(List.of(arguments));
            all.addFirst(state);
            int result = ((Number) handle.invokeWithArguments(all)).intValue();
            return result >= 0 ? result : -state.get(JAVA_INT, ERRNO);
        } catch (Throwable cause) {
            throw new AssertionError("the binding of " + name + " is wrong", cause);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle bind(String name, Object... arguments) {
        var shape = FunctionDescriptor.of(LONG_RESULT.contains(name) ? JAVA_LONG : JAVA_INT);
        for (var argument : arguments) {
            shape = shape.appendArgumentLayouts(layout(argument));
        }
        var options = new ArrayList<>(List.of(Linker.Option.captureCallState("errno")));
        if (VARIADIC.contains(name)) {
            options.add(Linker.Option.firstVariadicArg(2));
        }
        var symbol = LINKER.defaultLookup().findOrThrow(name);
        return LINKER.downcallHandle(symbol, shape, options.toArray(Linker.Option[]::new));
    }

    private static MemoryLayout layout(Object argument) {
        return switch (argument) {
            case Integer _ -> JAVA_INT;
            case Long _ -> JAVA_LONG;
            default -> ADDRESS;
        };
    }
}
