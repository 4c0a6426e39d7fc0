package dev.heddle.event;

import org.jspecify.annotations.Nullable;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/// Notices that an object has become garbage, as a `java.lang.ref.Cleaner` does, but without a
/// lock.
///
/// A cleaner keeps its list under a monitor, which its own thread takes too. A coroutine that finds
/// it taken leaves its thread and queues for the monitor; if then the loop's own thread wants it,
/// in a callback, it waits for the coroutine, which waits for the loop. That happens: it was seen
/// after some hundred thousand promises.
///
/// What is called when the object is lost must not know the object, which would then never be
/// garbage. It is called on a thread of its own, and should only post.
///
/// **Thread:** any.
public final class Loss extends PhantomReference<Object> {
    private static final System.Logger LOG = System.getLogger("dev.heddle.event");

    // How many may be forgotten before it is worth looking for them.
    private static final int FORGOTTEN_MIN = 1024;

    // Only the JVM and the one thread below touch its lock.
    private static final ReferenceQueue<Object> LOST = new ReferenceQueue<>();

    // A reference that is garbage itself is not told, so all that wait are kept here. As many as
    // there are handles, and at most as many again that are forgotten and not yet swept out.
    private static final Queue<Loss> WATCHED = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger ALL = new AtomicInteger();
    private static final AtomicInteger FORGOTTEN = new AtomicInteger();
    private static final AtomicBoolean SWEEPING = new AtomicBoolean();

    static {
        var thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("heddle-lost")
                        .inheritInheritableThreadLocals(false)
                        .unstarted(Loss::tellForEver);
        thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
        thread.start();
    }

    // Read and dropped only by who has ended the watch.
    private @Nullable Runnable action;

    // Who sets it has ended the watch: the owner, or the loss.
    private final AtomicBoolean ended = new AtomicBoolean();

    private Loss(Object handle, Runnable action) {
        super(handle, LOST);
        this.action = action;
    }

    /// Calls `action`, once, some time after `handle` has become garbage.
    public static Loss watch(Object handle, Runnable action) {
        var loss = new Loss(handle, action);
        WATCHED.add(loss);
        ALL.incrementAndGet();
        return loss;
    }

    /// Ends the watch.
    ///
    /// @return false if it had ended: the action has been called, or is just being
    public boolean forget() {
        if (!end()) {
            return false;
        }
        clear();
        action = null;
        return true;
    }

    private boolean end() {
        if (!ended.compareAndSet(false, true)) {
            return false;
        }
        int forgotten = FORGOTTEN.incrementAndGet();
        if (forgotten >= FORGOTTEN_MIN && forgotten > ALL.get() / 2) {
            sweep();
        }
        return true;
    }

    // One at a time; who finds another at it leaves it to that one.
    private static void sweep() {
        if (!SWEEPING.compareAndSet(false, true)) {
            return;
        }
        var swept = new int[1];
        WATCHED.removeIf(
                each -> {
                    boolean over = each.ended.get();
                    swept[0] += over ? 1 : 0;
                    return over;
                });
        FORGOTTEN.addAndGet(-swept[0]);
        ALL.addAndGet(-swept[0]);
        SWEEPING.set(false);
    }

    private void tell() {
        Runnable todo = Objects.requireNonNull(action);
        action = null;
        todo.run();
    }

    /// {@return how many are kept, those that wait to be swept out included}
    static int kept() {
        return WATCHED.size();
    }

    private static void tellForEver() {
        while (true) {
            try {
                var loss = (Loss) LOST.remove();
                if (loss.end()) {
                    loss.tell();
                }
            } catch (InterruptedException | RuntimeException thrown) {
                LOG.log(System.Logger.Level.ERROR, "while telling that a handle was lost", thrown);
            }
        }
    }
}
