package dev.heddle.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.sys.Memory;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.stream.Stream;

/// Fails a test that leaves a descriptor, native memory or a thread behind.
///
/// Descriptors are compared by number and target. What the JVM opens by itself and when it likes
/// (class files, cgroup and proc files) is left out. Needs tests that run one after another.
///
/// **Thread:** owner (the test runner).
public final class Leaks implements BeforeEachCallback, AfterEachCallback {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(Leaks.class);
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    private record Holdings(
            Map<Integer, String> descriptors, long nativeBytes, Set<String> threads) {
        static Holdings now() throws IOException {
            return new Holdings(openDescriptors(), Memory.inUse(), liveThreads());
        }
    }

    public Leaks() {}

    @Override
    public void beforeEach(ExtensionContext context) throws IOException {
        context.getStore(NAMESPACE).put("before", Holdings.now());
    }

    @Override
    public void afterEach(ExtensionContext context) throws IOException {
        var before = context.getStore(NAMESPACE).get("before", Holdings.class);
        awaitThreadsNotIn(before.threads());
        assertEquals(before, Holdings.now(), "the test left something behind, or took too much");
    }

    private static Map<Integer, String> openDescriptors() throws IOException {
        var found = new TreeMap<Integer, String>();
        if (!Files.isDirectory(DESCRIPTORS)) {
            return found;
        }
        try (Stream<Path> links = Files.list(DESCRIPTORS)) {
            for (var link : links.toList()) {
                String target = target(link);
                if (!isTheJvms(target)) {
                    found.put(Integer.valueOf(link.getFileName().toString()), target);
                }
            }
        }
        return found;
    }

    // Empty for one that was closed since the list was made, such as the list's own.
    private static String target(Path link) throws IOException {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (NoSuchFileException _) {
            return "";
        }
    }

    private static boolean isTheJvms(String target) {
        return target.isEmpty()
                || target.startsWith("/proc/")
                || target.startsWith("/sys/")
                || target.startsWith("/dev/")
                || target.endsWith(".jar")
                || target.endsWith("/lib/modules");
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
                .toList();
    }
}
