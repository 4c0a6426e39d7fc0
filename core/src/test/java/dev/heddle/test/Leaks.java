package dev.heddle.test;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.sys.Memory;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.stream.Stream;

/// Fails a test that leaves a descriptor, native memory or a thread behind.
///
/// For tests that open descriptors and start threads by themselves, without a world around them; so
/// it also looks at descriptors that were there before. Needs tests that run one after another.
///
/// **Thread:** owner (the test runner).
public final class Leaks implements BeforeEachCallback, AfterEachCallback {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(Leaks.class);

    private record Inventory(
            Map<Integer, String> descriptors, long nativeBytes, Set<String> threads) {
        static Inventory now() {
            return new Inventory(OpenFiles.read().targets(), Memory.inUse(), liveThreads());
        }
    }

    public Leaks() {}

    @Override
    public void beforeEach(ExtensionContext context) {
        context.getStore(NAMESPACE).put("before", Inventory.now());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        var before = context.getStore(NAMESPACE).get("before", Inventory.class);
        awaitThreadsNotIn(before.threads());
        assertEquals(before, Inventory.now(), "the test left something behind, or took too much");
    }

    private static Set<String> liveThreads() {
        var names = new TreeSet<String>();
        own().forEach(thread -> names.add(name(thread)));
        return names;
    }

    /// An executor that has closed says so a moment before its last thread is gone.
    private static void awaitThreadsNotIn(Set<String> known) {
        for (var thread : own()) {
            if (!known.contains(name(thread))) {
                try {
                    thread.join(Duration.ofSeconds(1));
                } catch (InterruptedException cause) {
                    throw new AssertionError("interrupted while waiting for " + thread, cause);
                }
            }
        }
    }

    private static String name(Thread thread) {
        return thread.threadId() + " " + thread.getName();
    }

    private static List<Thread> own() {
        var all = new Thread[Thread.activeCount() * 2 + 8];
        int count = Thread.currentThread().getThreadGroup().enumerate(all);
        // The common pool's and the test runner's own come and go; so do those that finish what a
        // closed loop has left, a second after they have. The one that looks after lost objects is
        // started by whoever loses the first, and stays.
        return Stream.of(all)
                .limit(count)
                .filter(thread -> !(thread instanceof ForkJoinWorkerThread))
                .filter(thread -> !thread.getName().startsWith("junit"))
                .filter(thread -> !thread.getName().startsWith("heddle-late"))
                .filter(thread -> !thread.getName().equals("heddle-lost"))
                .filter(thread -> !thread.getName().equals("heddle-patrol"))
                .toList();
    }
}
