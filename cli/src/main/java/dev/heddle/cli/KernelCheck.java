package dev.heddle.cli;

import dev.heddle.reactor.Backend;
import dev.heddle.sys.CallState;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Limits;
import dev.heddle.sys.Memory;
import dev.heddle.sys.Sys;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// What the operating system offers: which backends, how many descriptors, how much locked memory.
///
/// **Thread:** owner.
final class KernelCheck {
    private static final String SYSTEM = "System";
    private static final String BACKENDS = "Backends";

    // One per connection, and a few: below this a server is too small to be worth its loop.
    private static final long DESCRIPTORS_WANTED = 4096;

    // What distributions give today. Buffers registered with io_uring are counted against it.
    private static final long LOCKED_WANTED = 8L << 20;

    private static final Path URING_SWITCH = Path.of("/proc/sys/kernel/io_uring_disabled");

    private KernelCheck() {}

    static List<Finding> findings(Sys sys) {
        var findings = new ArrayList<Finding>();
        findings.add(
                Finding.ok(
                        SYSTEM,
                        "kernel",
                        System.getProperty("os.name")
                                + " "
                                + System.getProperty("os.version")
                                + " "
                                + System.getProperty("os.arch")));
        int processors = Runtime.getRuntime().availableProcessors();
        findings.add(Finding.ok(SYSTEM, "processors", String.valueOf(processors)));
        findings.add(descriptors(limit(sys, Limits.RLIMIT_NOFILE)));
        findings.add(lockedMemory(limit(sys, Limits.RLIMIT_MEMLOCK)));
        findings.addAll(backends(Backend.probe(sys), System.getProperty(Backend.PROPERTY, "")));
        return findings;
    }

    /// The JVM raises its soft limit to the hard one when it starts, so that there is only one.
    static Finding descriptors(long limit) {
        String text = describe(limit);
        return limit >= DESCRIPTORS_WANTED
                ? Finding.ok(SYSTEM, "descriptors", text)
                : Finding.note(
                        SYSTEM,
                        "descriptors",
                        text + ": few for a server",
                        "ulimit -n 65536 (as root, or hard nofile in /etc/security/limits.conf)");
    }

    static Finding lockedMemory(long limit) {
        String text = limit == Long.MAX_VALUE ? describe(limit) : describe(limit / 1024) + " KiB";
        return limit >= LOCKED_WANTED
                ? Finding.ok(SYSTEM, "locked memory", text)
                : Finding.note(
                        SYSTEM,
                        "locked memory",
                        text + ": few registered buffers on io_uring",
                        "ulimit -l 65536 (as root, or memlock in /etc/security/limits.conf)");
    }

    /// @param forced what the system property says, or an empty string
    static List<Finding> backends(List<Backend.Attempt> attempts, String forced) {
        var findings = new ArrayList<Finding>();
        boolean taken = !forced.isEmpty();
        for (var attempt : attempts) {
            String label = attempt.backend().label();
            if (!attempt.available()) {
                findings.add(refused(attempt));
            } else {
                String place = taken ? "available: " : "available, taken by default: ";
                findings.add(Finding.ok(BACKENDS, label, place + attempt.reason()));
                taken = true;
            }
        }
        if (attempts.stream().noneMatch(Backend.Attempt::available)) {
            findings.add(
                    Finding.problem(
                            BACKENDS,
                            "any",
                            "none is available",
                            "run on Linux, macOS or FreeBSD, outside of a filter of system calls"));
        }
        if (!forced.isEmpty()) {
            findings.add(forced(attempts, forced));
        }
        return findings;
    }

    private static Finding forced(List<Backend.Attempt> attempts, String forced) {
        String name = "forced";
        String fix = "remove -D" + Backend.PROPERTY + " from HEDDLE_JAVA_OPTS";
        try {
            Backend backend = Backend.parse(forced);
            boolean refused =
                    attempts.stream()
                            .anyMatch(each -> each.backend() == backend && !each.available());
            return refused
                    ? Finding.problem(BACKENDS, name, backend.label() + ", but it is refused", fix)
                    : Finding.ok(BACKENDS, name, backend.label() + ", by -D" + Backend.PROPERTY);
        } catch (IllegalArgumentException unknown) {
            return Finding.problem(BACKENDS, name, String.valueOf(unknown.getMessage()), fix);
        }
    }

    private static Finding refused(Backend.Attempt attempt) {
        String text = "refused: " + attempt.reason();
        String label = attempt.backend().label();
        // The others are missing where they do not belong; this one may only be switched off.
        return attempt.backend() == Backend.URING && Files.exists(URING_SWITCH)
                ? Finding.note(BACKENDS, label, text, uringFix(uringSwitch()))
                : Finding.absent(BACKENDS, label, text);
    }

    private static String uringFix(String uringSwitch) {
        return uringSwitch.equals("0")
                ? "a container's filter forbids it: docker run --security-opt seccomp=unconfined"
                        + " ..."
                : "sysctl -w kernel.io_uring_disabled=0 (it is " + uringSwitch + ")";
    }

    private static String uringSwitch() {
        try {
            return Files.readString(URING_SWITCH).strip();
        } catch (IOException refused) {
            return "not readable";
        }
    }

    /// {@return the soft limit; the largest number if there is none}
    private static long limit(Sys sys, int resource) {
        MemorySegment rlimit = Memory.allocate(Limits.RLIMIT.byteSize());
        try (var state = new CallState()) {
            int result = sys.getrlimit(state, resource, rlimit);
            if (result < 0) {
                throw new IllegalStateException(
                        "getrlimit(" + resource + "): " + Errno.describe(-result));
            }
            long soft = rlimit.get(ValueLayout.JAVA_LONG, 0);
            return soft == Limits.RLIM_INFINITY ? Long.MAX_VALUE : soft;
        } finally {
            Memory.free(rlimit);
        }
    }

    private static String describe(long limit) {
        return limit == Long.MAX_VALUE ? "unlimited" : String.valueOf(limit);
    }
}
