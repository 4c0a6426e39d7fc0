package dev.heddle.reactor;

import java.io.IOException;
import java.util.Optional;

/// Waits until one of many descriptors is ready: the lowest layer, which knows nothing of
/// callbacks, timers or tasks.
///
/// **Edges.** Unless [Interest#LEVEL] is asked for, readiness is reported once per change: read or
/// write until the kernel says `EAGAIN`, then say [#consumed]. What was ready when a descriptor was
/// registered or modified is reported too. A backend may report more often than needed, never less.
///
/// **Hang-up.** Reported whatever the interest is, as `HUP|READ|WRITE`: go and look. Only a
/// descriptor with interest [Interest#NONE] is left in peace.
///
/// **Errors.** A registration either succeeds whole or fails from the call and leaves no trace:
/// [IllegalArgumentException] for a negative descriptor or unknown interest, [ErrnoException] with
/// `EBADF` for a closed one, `EPERM` for a regular file or directory (the kernel has no readiness
/// for them), `EEXIST` if it is registered, `ENOENT` from [#modify] and [#unregister] if it is not.
/// A kernel that cannot tell of urgent data refuses [Interest#PRIORITY] with `EINVAL`.
///
/// **Descriptors are borrowed.** The owner unregisters before it closes. If it forgets, the number
/// may come back for another file: a register of a number whose old file is gone therefore works on
/// the backends that can tell, and says `EEXIST` on the others.
///
/// **Kernel objects** are made when first needed, by the thread that polls.
///
/// **Thread:** every method belongs to the loop's thread, except [#wake]. Before the first [#poll]
/// another thread may register, if the hand-over is synchronised.
public sealed interface Reactor extends AutoCloseable
        permits EpollReactor, UringReactor, KqueueReactor, PollReactor, SimReactor {
    /// The one token that cannot be registered: it marks the reactor's own wake-up.
    long RESERVED_TOKEN = -1;

    /// {@return which backend this is}
    Backend backend();

    /// Begins to watch `fd`; `token` comes back with every event and is never looked at. Any value
    /// will do but [#RESERVED_TOKEN].
    void register(int fd, long token, int interest) throws IOException;

    /// Replaces token and interest. What is ready now is reported anew.
    void modify(int fd, long token, int interest) throws IOException;

    /// Stops watching. Nothing about `fd` is reported by a later poll.
    void unregister(int fd) throws IOException;

    /// Tells that a read or write in these directions found nothing more (`EAGAIN`), so that the
    /// next edge is to be reported. Free where the kernel has edges; re-arms `poll(2)`. Nothing
    /// happens if `fd` is not registered.
    void consumed(int fd, int directions);

    /// Waits until something is ready, a [#wake], or the end of the timeout, and fills `out`.
    ///
    /// An interrupted wait (`EINTR`) returns early with 0 events.
    ///
    /// @param timeoutNanos negative waits for ever, 0 does not wait, n waits at least n nanoseconds
    ///   if nothing happens
    /// @return how many events are in `out`; a wake is none of them
    int poll(ReadyEvents out, long timeoutNanos) throws IOException;

    /// Makes the current or the next [#poll] return. Safe from any thread, also while and after the
    /// reactor is closed; calls coalesce until a poll has seen one.
    void wake();

    /// {@return how many descriptors are registered}
    int registered();

    /// Tells that events come again and again for a token that nobody has any more: the kernel
    /// still watches a file whose descriptor was closed before it was unregistered, since another
    /// descriptor of the same file lives. A backend to which that can happen gets rid of it, and
    /// keeps everything that is registered.
    ///
    /// @return false if it cannot, or not now; nothing has changed then
    default boolean renew() {
        return false;
    }

    /// {@return a descriptor that is readable when [#poll] would return events, for embedding in
    /// another loop, or -1 if this backend has none}
    int fd() throws IOException;

    /// {@return the submission side for completion I/O, if this backend has one}
    default Optional<Ring> ring() {
        return Optional.empty();
    }

    /// Releases every kernel object. Idempotent; registered descriptors stay open. Afterwards every
    /// method throws [IllegalStateException], but for [#backend] and for [#wake], which does
    /// nothing.
    @Override
    void close();
}
