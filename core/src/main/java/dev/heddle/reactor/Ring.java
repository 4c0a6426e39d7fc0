package dev.heddle.reactor;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Completion I/O beside readiness: operations that the kernel carries out by itself.
///
/// The caller fills a submission entry, and its completion arrives in a later [Reactor#poll], in
/// the caller's [Completions]. Nothing is submitted before that poll: one system call a turn
/// carries all.
///
/// **Memory** that an operation names (buffers, addresses) belongs to the kernel until its last
/// completion, also after [#cancel]: a cancelled operation still completes, with `-ECANCELED` or
/// with the result that was quicker. Also after [Reactor#close]: that cancels everything and waits
/// for it, but cannot if another thread closes, or if the kernel is silent for a second. So look at
/// [#inFlight] afterwards: if it is not 0, the memory of what never came back must not be freed.
///
/// **What completes too late** may own something (an accepted connection, an opened file). To lose
/// none, cancel and poll until nothing is in flight before closing.
///
/// **Thread:** loop. The first [Reactor#poll], [Reactor#fd] or [#prepare] makes the ring, and its
/// thread is the loop's from then on.
public interface Ring {
    /// A user's tag is at most this: the upper bits are the reactor's.
    long TAG_MAX = (1L << 56) - 1;

    /// Takes a zeroed submission entry (`struct io_uring_sqe`, see `dev.heddle.sys.Sqe`), to be
    /// filled before the next call of this object or its reactor. Its `user_data` is set already
    /// and must be left; a completion cannot be waived (`IOSQE_CQE_SKIP_SUCCESS`), or the operation
    /// would stay in flight for ever.
    ///
    /// @param tag comes back with the completion, `0` to [#TAG_MAX]
    /// @throws IllegalStateException if [#deliverTo] was never called
    /// @throws IOException if the queue is full and the kernel does not take it; nothing is queued
    MemorySegment prepare(long tag) throws IOException;

    /// Asks the kernel to cancel every operation with this tag. Each still completes. Nothing
    /// happens if there is none.
    ///
    /// @throws IOException if the queue is full and the kernel does not take it; nothing is queued
    void cancel(long tag) throws IOException;

    /// Where completions go from now on: filled by [Reactor#poll], emptied by the owner. While it
    /// is full, further completions, and the events behind them, wait in the kernel's queue, and no
    /// poll blocks.
    void deliverTo(Completions out);

    /// {@return how many operations were prepared and have not completed for the last time} Also
    /// after the reactor was closed.
    int inFlight();
}
