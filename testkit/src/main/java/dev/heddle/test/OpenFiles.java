package dev.heddle.test;

import dev.heddle.Heddle;
import dev.heddle.reactor.SimReactor;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/// The descriptors that this process has open, by number and by what they are.
///
/// Those that the JVM opens when it likes (class files, cgroup and proc files, devices) are left
/// out. A system without `/proc/self/fd` shows none.
///
/// **Thread:** immutable.
///
/// @param numbers all of them, as the folder has them; the one that lists it, which is the lowest
///   free number, is among them
/// @param targets what they are, without those of the JVM
record OpenFiles(Set<String> numbers, Map<Integer, String> targets) {
    /*
     * What a descriptor is costs a system call each, and a test with a thousand seeds would ask for all
     * of them two thousand times. Their numbers cost one. As long as those are the same, so is the rest:
     * whoever opens one takes the number that the listing had, and the next listing has another.
     */
    private static final Path FOLDER = Path.of("/proc/self/fd");
    private static final int LOOKS = 50;
    private static final long PAUSE_NANOS = 2_000_000;

    static {
        // The JDK opens descriptors of its own when the first coroutine runs in a JVM.
        var sim = new SimReactor();
        Heddle.with().loop(loop -> loop.reactor(sim, sim::nanos)).run(() -> {});
    }

    // Any thread: what was found last.
    private static volatile OpenFiles last = new OpenFiles(Set.of(), Map.of());

    static OpenFiles now() {
        var numbers = numbersNow();
        var known = last;
        if (known.numbers.equals(numbers)) {
            return known;
        }
        var now = read(numbers);
        last = now;
        return now;
    }

    /// {@return the same, without relying on what was found last}
    static OpenFiles read() {
        return read(numbersNow());
    }

    private static OpenFiles read(Set<String> numbers) {
        var found = new TreeMap<Integer, String>();
        numbers.forEach(number -> add(FOLDER.resolve(number), found));
        return new OpenFiles(numbers, found);
    }

    private static Set<String> numbersNow() {
        String[] names = FOLDER.toFile().list();
        return names == null ? Set.of() : Set.of(names);
    }

    /// {@return what is open now and was not then, in words}
    List<String> newOnes() {
        if (numbersNow().equals(numbers)) {
            return List.of();
        }
        // Other threads of the JVM open and close files in passing: what stays is a leak.
        for (int i = 0; i < LOOKS && !newOnesNow().isEmpty(); i++) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return newOnesNow();
    }

    private List<String> newOnesNow() {
        return now().targets.entrySet().stream()
                .filter(each -> !each.getValue().equals(targets.get(each.getKey())))
                .map(each -> "descriptor " + each.getKey() + ": " + each.getValue())
                .toList();
    }

    private static void add(Path link, Map<Integer, String> found) {
        try {
            String target = Files.readSymbolicLink(link).toString();
            if (!isTheJvms(target)) {
                found.put(Integer.valueOf(link.getFileName().toString()), target);
            }
        } catch (NoSuchFileException _) {
            // Closed since the list was made, such as the list's own.
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static boolean isTheJvms(String target) {
        return target.startsWith("/proc/")
                || target.startsWith("/sys/")
                || target.startsWith("/dev/")
                || target.endsWith(".jar")
                || target.endsWith("/lib/modules");
    }
}
