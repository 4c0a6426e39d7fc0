package dev.heddle;

import dev.heddle.loop.Task;

import org.jspecify.annotations.Nullable;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/// Interrupts of the thread that is in `Heddle.run`: the first shuts the program down gracefully,
/// the second ends it at once.
///
/// **Thread:** any, except what is marked.
final class CallerInterrupts {
    /*
     * The loop cannot look at the flag of its thread: it sleeps in the kernel, which no interrupt ends, and
     * the flag is cleared whenever a virtual thread leaves the thread. So we must be called, and the JDK
     * calls whoever a thread says that it is blocked on. The public way to say so is to be a Selector.
     *
     * `state` counts those that arrived and that the loop has not taken:
     *
     *   0 ──arrives──▶ 1 ──arrives──▶ 2 …         each posts; the loop takes all that are there
     *   0 ──the flag is set, and nobody told──▶ AHEAD     the loop takes one that may still be told
     *   AHEAD ──arrives──▶ 0                      it was that one: it does not count again
     *   any ──end──▶ OVER                         who comes later sets the flag and nothing else
     *
     * The JDK sets the flag, then looks whom to tell, then tells. AHEAD is for what it told nobody: a
     * callback that uses a channel on the loop's own thread takes our place, and we take it back when the
     * loop waits next. Weak: a thread that is interrupted in between has lost that if a coroutine runs
     * before the wait, since that clears the flag; and else a third one is needed to end at once.
     */
    private static final int AHEAD = -1;
    private static final int OVER = Integer.MIN_VALUE;

    private final AtomicInteger state = new AtomicInteger();
    private final Blocker blocker = new Blocker();
    private volatile boolean seen;

    // Written by the loop's thread before it begins.
    private volatile @Nullable Scheduler scheduler;

    /// The calling thread is the loop's from now on, until [#end]. Loop.
    void begin(Scheduler newScheduler) {
        scheduler = newScheduler;
        blocker.place();
        if (state.get() > 0) {
            post(newScheduler);
        }
    }

    /// The loop is about to wait: makes sure that it can be woken. Loop.
    void beforeWait() {
        blocker.place();
    }

    /// Loop.
    void end() {
        blocker.leave();
        state.set(OVER);
    }

    /// {@return whether there was one, whatever became of it}
    boolean seen() {
        return seen;
    }

    /// Somebody interrupts whoever waits for the program.
    void arrived() {
        seen = true;
        int before = state.getAndUpdate(CallerInterrupts::oneMore);
        Scheduler running = scheduler;
        if (running == null) {
            return;
        }
        if (before == OVER) {
            // It may have been cleared since: a virtual thread left, and run had not ended.
            Thread owner = running.thread();
            if (owner != null) {
                owner.interrupt();
            }
        } else if (before != AHEAD) {
            post(running);
        }
    }

    private static int oneMore(int before) {
        return before == OVER ? OVER : before + 1;
    }

    // The flag is set. Loop.
    private void found(Scheduler running) {
        if (state.compareAndSet(0, AHEAD)) {
            seen = true;
            running.loop.postIfOpen(Task.of(running.lifecycle::shutdown));
        }
        Thread.interrupted();
    }

    private void post(Scheduler running) {
        running.loop.postIfOpen(Task.of(() -> take(running)));
    }

    // First the count and then the flag: who sets it later also counts later. Loop.
    private void take(Scheduler running) {
        int arrived = state.getAndUpdate(before -> Math.min(before, 0));
        Thread.interrupted();
        for (int i = 0; i < arrived; i++) {
            running.lifecycle.shutdown();
        }
    }

    /// What the thread is blocked on, as the JDK sees it. It selects nothing.
    private final class Blocker extends AbstractSelector {
        Blocker() {
            super(null);
        }

        void place() {
            begin();
        }

        void leave() {
            end();
        }

        /// Called by who interrupts the thread; and by the thread itself, in `begin`, if its flag
        /// is set.
        @Override
        public Selector wakeup() {
            Scheduler running = scheduler;
            if (running != null && Thread.currentThread() == running.thread()) {
                found(running);
            } else {
                arrived();
            }
            return this;
        }

        @Override
        protected void implCloseSelector() {}

        @Override
        protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object att) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Set<SelectionKey> keys() {
            return Set.of();
        }

        @Override
        public Set<SelectionKey> selectedKeys() {
            return Set.of();
        }

        @Override
        public int selectNow() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int select(long timeout) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int select() {
            throw new UnsupportedOperationException();
        }
    }
}
