package dev.heddle;

import org.jspecify.annotations.Nullable;

/// Thrown at a suspension point of a coroutine that was cancelled.
///
/// An [Error], so that `catch (Exception e)` does not swallow it: clean up in `finally`, and let it
/// pass. Whoever swallows it gets it again, see [Coroutine#cancel()].
///
/// It has a stack trace in debug mode only: cancelling a hundred thousand coroutines would spend
/// most of its time on stacks that nobody reads.
///
/// **Thread:** immutable, as far as throwables are.
public final class Cancellation extends Error {
    private static final long serialVersionUID = 1L;

    // Whose request this is; it tells a limit's cancellation from the coroutine's own.
    private final transient @Nullable CancelRequest request;

    // What a library made of the interrupt that brought it.
    private transient @Nullable Throwable wrapped;

    Cancellation(String reason, @Nullable CancelRequest request, boolean withStack) {
        super(reason, null, true, withStack);
        this.request = request;
    }

    boolean isOf(@Nullable CancelRequest which) {
        return which != null && request == which;
    }

    /// It is thrown instead of `thrown`, which a library has made of its interrupt.
    Cancellation insteadOf(Throwable thrown) {
        wrapped = thrown;
        Errors.suppress(this, thrown);
        return this;
    }

    boolean isInsteadOf(Throwable thrown) {
        return wrapped == thrown;
    }

    /// {@return whether it is the one by which a shutdown has ended the main coroutine}
    boolean isShutdown() {
        return request != null && request.target.scheduler().lifecycle.isShutdown(request);
    }

    /// {@return why, as the canceller put it}
    public String reason() {
        return String.valueOf(getMessage());
    }
}
