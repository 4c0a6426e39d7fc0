package dev.heddle.reactor;

import org.jspecify.annotations.Nullable;

/// Takes completions off the queue and hands each to whom it belongs.
///
/// In order, until one has nowhere to go: it and those behind it stay, and come first next time.
///
/// **Thread:** loop.
final class UringDispatch {
    private final UringPolls polls;
    private final UringRing ring;
    private final UringWake wake;
    private final UrgentData urgent;

    // What the poll under way has to tell: events, completions and wake-ups.
    private int news;

    UringDispatch(UringPolls polls, UringRing ring, UringWake wake, UrgentData urgent) {
        this.polls = polls;
        this.ring = ring;
        this.wake = wake;
        this.urgent = urgent;
    }

    /// A poll begins.
    void begin() {
        news = 0;
    }

    /// {@return whether this poll has something to tell}
    boolean hasNews() {
        return news != 0;
    }

    /// @param out where events go; without it only what concerns nobody is taken
    /// @return how many it took
    int reap(CompletionQueue completions, @Nullable ReadyEvents out) {
        int taken = 0;
        while (!completions.isEmpty() && take(completions, out)) {
            completions.advance();
            taken++;
        }
        return taken;
    }

    /// At the end nobody waits for events any more. Operations may still find room in their buffer.
    ///
    /// @return how many it took, which is all there were
    int settle(CompletionQueue completions) {
        int taken = 0;
        for (; !completions.isEmpty(); taken++) {
            long userData = completions.userData();
            int flags = completions.flags();
            switch (UserData.kind(userData)) {
                case UserData.POLL -> polls.complete(userData, completions.result(), flags);
                case UserData.OPERATION -> ring.complete(userData, completions.result(), flags);
                case UserData.WAKE -> wake.complete(flags);
                default -> {}
            }
            completions.advance();
        }
        return taken;
    }

    private boolean take(CompletionQueue completions, @Nullable ReadyEvents out) {
        long userData = completions.userData();
        int result = completions.result();
        int flags = completions.flags();
        return switch (UserData.kind(userData)) {
            case UserData.POLL -> takePoll(userData, result, flags, out);
            case UserData.OPERATION -> out != null && takeOperation(userData, result, flags);
            case UserData.WAKE -> out != null && takeWake(flags);
            default -> true; // a removal that found nothing to remove
        };
    }

    private boolean takeOperation(long userData, int result, int flags) {
        if (!ring.hasRoom()) {
            return false;
        }
        ring.complete(userData, result, flags);
        news++;
        return true;
    }

    private boolean takeWake(int flags) {
        wake.complete(flags);
        news++;
        return true;
    }

    private boolean takePoll(long userData, int result, int flags, @Nullable ReadyEvents out) {
        if (!polls.isCurrent(userData)) {
            polls.complete(userData, result, flags);
            return true;
        }
        if (out == null || out.isFull()) {
            return false;
        }
        int fd = UserData.fd(userData);
        boolean unsure = result > 0 && (polls.table().interest(fd) & Interest.PRIORITY) != 0;
        int events = unsure ? urgent.verify(fd, result) : result;
        int ready = polls.complete(userData, events, flags);
        if (ready != 0) {
            out.add(polls.table().token(fd), ready);
            news++;
        }
        return true;
    }
}
