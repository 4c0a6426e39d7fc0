package dev.heddle.test.kernel;

import dev.heddle.loop.SignalSource;
import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Interest;
import dev.heddle.reactor.Reactor;
import dev.heddle.reactor.SimClock;
import dev.heddle.reactor.SimReactor;
import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Fd;
import dev.heddle.sys.Sys;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/// A kernel in memory, behind the system calls that the reactors make: pipes, event counters,
/// `epoll(7)` and `poll(2)`, descriptors that are mere scripts, and signals. It behaves as Linux
/// (6.14 and later) does, call by call and edge by edge: a test compares the two.
///
/// **Time** is a [SimClock]: a wait moves it to the next script or to the timeout. A wait for ever
/// that nothing can end throws [IllegalStateException]; other threads that will end it are
/// announced with [#holdTimeWhile]. A call on a blocking descriptor that would block is an
/// [AssertionError].
///
/// **Chance** is what a kernel may do one way or the other: how many bytes a read or a long write
/// moves, in which order ready descriptors are reported. One generator decides it all. Without one
/// reads and writes are whole and reports come in order.
///
/// **Reactors:** [#reactor(Backend)] gives any number of them, which share these descriptors: the
/// real `EpollReactor` and `PollReactor` on top of these calls, or a [SimReactor] beside them.
/// io_uring and kqueue answer `-ENOSYS`; they would be one more kind of open file, as would be
/// sockets of a simulated network.
///
/// **Thread:** any for the system calls and [#raise], so that other threads can wake a loop; all
/// else belongs to the owner (who polls).
public final class SimKernel extends SimCalls {
    private static final int DESCRIPTORS_MAX = 1024;
    private static final int SCRIPTED =
            Interest.READ | Interest.WRITE | Interest.PRIORITY | Interest.HUP;

    private final SimClock clock;
    private final SimSignals signals = new SimSignals();
    private final SharedDescriptors shared;

    /// A kernel that leaves nothing to chance.
    public SimKernel(SimClock clock) {
        this(clock, new Chance(null));
    }

    /// A kernel whose freedom is decided by `random`.
    public SimKernel(SimClock clock, RandomGenerator random) {
        this(clock, new Chance(Objects.requireNonNull(random, "random")));
    }

    private SimKernel(SimClock clock, Chance chance) {
        super(
                new Waits(Objects.requireNonNull(clock, "clock")),
                chance,
                new FdNumbers(DESCRIPTORS_MAX));
        this.clock = clock;
        shared = new SharedDescriptors(this);
    }

    /// {@return a new reactor of this backend, which waits for this kernel's descriptors in its
    /// time}
    ///
    /// @throws IOException if it is one that this kernel does not have
    public Reactor reactor(Backend backend) throws IOException {
        return reactor(backend, this);
    }

    /// [#reactor(Backend)] with something between reactor and kernel: a [FaultySys], for example.
    /// The [Backend#SIM] makes no system calls and does not notice.
    ///
    /// @param front the kernel that the reactor is to see, with this one behind it
    public Reactor reactor(Backend backend, Sys front) throws IOException {
        if (backend == Backend.SIM) {
            var reactor = new SimReactor(clock, shared);
            reactor.holdTimeWhile(waits::isHeld);
            return reactor;
        }
        return backend.reactor(front);
    }

    /// Says when other threads are at work that will wake a loop or write to its descriptors.
    /// Waiting is real then and the clock stands still: see [SimReactor#holdTimeWhile].
    public void holdTimeWhile(BooleanSupplier outsideWork) {
        waits.holdTimeWhile(Objects.requireNonNull(outsideWork, "outsideWork"));
    }

    public SimClock clock() {
        return clock;
    }

    /// {@return a new pipe, both ends non-blocking}
    ///
    /// @throws IOException if there are no descriptors left
    public SimPipe pipe() throws IOException {
        return pipe(this);
    }

    /// [#pipe()] whose calls go through `front`, with this kernel behind it.
    public SimPipe pipe(Sys front) throws IOException {
        var pair = MemorySegment.ofArray(new int[2]);
        try (var state = new CallState()) {
            int result = front.pipe2(state, pair, Fd.O_CLOEXEC | Fd.O_NONBLOCK);
            if (result < 0) {
                throw new IOException("pipe2: " + Errno.describe(-result));
            }
        }
        var ends = (int[]) pair.heapBase().orElseThrow();
        return new SimPipe(this, front, ends[0], ends[1]);
    }

    /// How many bytes a new pipe holds: 64 KiB unless said otherwise. Less than a page makes a pipe
    /// of one slot of this size, whose `PIPE_BUF` is as small.
    public void setPipeCapacity(int bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("capacity must be positive, but is " + bytes);
        }
        synchronized (waits) {
            pipeCapacity = bytes;
        }
    }

    /// The limit of `RLIMIT_NOFILE`: no descriptor gets this number or a higher one. 1024 unless
    /// said otherwise; what is open stays open.
    public void setDescriptorLimit(int limit) {
        synchronized (waits) {
            numbers.limit(limit);
        }
    }

    /// {@return a new descriptor with nothing ready, and no bytes: [#ready] says what holds}
    public int scripted() {
        return must(open(new ScriptedFile(waits), true));
    }

    /// {@return a new descriptor of an empty regular file, which has no readiness}
    public int file() {
        return must(open(new PlainFile(waits, false), true));
    }

    /// {@return a new descriptor of a directory}
    public int directory() {
        return must(open(new PlainFile(waits, true), true));
    }

    /// Something happens at a [#scripted] descriptor: these bits of [Interest] hold from now on,
    /// and each is an edge, also where it held before.
    public void ready(int fd, int bits) {
        synchronized (waits) {
            script(fd, bits).raise(SharedDescriptors.pollBits(bits));
        }
    }

    /// These bits hold no longer at a [#scripted] descriptor.
    public void clear(int fd, int bits) {
        synchronized (waits) {
            script(fd, bits).drop(SharedDescriptors.pollBits(bits));
        }
    }

    /// The peer of a [#scripted] descriptor is gone.
    public void hangUp(int fd) {
        ready(fd, Interest.HUP);
    }

    /// Closes a descriptor of any kind.
    ///
    /// @throws IllegalArgumentException if it is not open
    public void close(int fd) {
        synchronized (waits) {
            if (numbers.find(fd) == null) {
                throw notOpen(fd);
            }
            numbers.close(fd);
        }
    }

    /// {@return the open descriptors, such as `7: pipe 2, read end`, in order of their numbers}
    public List<String> open() {
        synchronized (waits) {
            return numbers.open();
        }
    }

    /// {@return each `close(2)` of a descriptor that was not open: somebody closes twice, and hits
    /// somebody else's descriptor when the number is taken again}
    public List<String> doubleCloses() {
        synchronized (waits) {
            return numbers.doubleCloses();
        }
    }

    /// {@return where a loop hears of [#raise]}
    public SignalSource signals() {
        return signals;
    }

    /// Sends a signal to those who listen to [#signals]; the process itself is left alone. A loop
    /// reports it in its next turn.
    ///
    /// @param name without `SIG`
    /// @throws IllegalStateException if nobody listens to it: a real process might have died
    public void raise(String name) {
        signals.raise(name);
    }

    @Override
    public String toString() {
        return "SimKernel" + open();
    }

    boolean isOpen(int fd, OpenFile file) {
        synchronized (waits) {
            return numbers.find(fd) == file;
        }
    }

    PipeEnd pipeEnd(int fd) {
        synchronized (waits) {
            if (numbers.find(fd) instanceof PipeEnd end) {
                return end;
            }
            throw new IllegalArgumentException("descriptor " + fd + " is no pipe of this kernel");
        }
    }

    private ScriptedFile script(int fd, int bits) {
        if ((bits & ~SCRIPTED) != 0) {
            throw new IllegalArgumentException(
                    "a script may set READ (1), WRITE (2), PRIORITY (4) and HUP (8), not " + bits);
        }
        var file = numbers.find(fd);
        if (file instanceof ScriptedFile scripted) {
            return scripted;
        }
        throw file == null
                ? notOpen(fd)
                : new IllegalArgumentException(
                        "descriptor " + fd + " (" + file + ") has its own readiness");
    }

    private static int must(int fd) {
        if (fd < 0) {
            throw new IllegalStateException("open: " + Errno.describe(-fd));
        }
        return fd;
    }

    private static IllegalArgumentException notOpen(int fd) {
        return new IllegalArgumentException("no simulated descriptor " + fd + " is open");
    }
}
