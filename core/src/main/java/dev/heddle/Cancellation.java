package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

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

    // What we have suppressed onto it ourselves: what a library made of its interrupt, say. Others
    // that are suppressed are failures that a try-with-resources has put there.
    private transient @Nullable List<Throwable> known;

    Cancellation(String reason, @Nullable CancelRequest request, boolean withStack) {
        super(reason, null, true, withStack);
        this.request = request;
    }

    boolean isOf(@Nullable CancelRequest which) {
        return which != null && request == which;
    }

    /// `thrown` is suppressed onto it by us.
    void knows(Throwable thrown) {
        if (known == null) {
            known = new ArrayList<>(1);
        }
        known.add(thrown);
    }

    boolean isKnown(Throwable thrown) {
        return known != null && known.stream().anyMatch(each -> each == thrown);
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
