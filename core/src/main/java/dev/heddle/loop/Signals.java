package dev.heddle.loop;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/// Who watches which signal, for the whole process: the first watch of a signal takes its handler
/// over, the last one puts the old handler back.
///
/// The JVM delivers (`sun.misc.Signal`): its own thread calls our handler, long after the real
/// signal handler has returned. An upcall in a signal handler would crash the JVM.
///
/// The lock is held for a few instructions and one `sigaction`; the engine takes it on platform
/// threads only, since a virtual thread that waits for it might need the loop that waits behind it.
///
/// **Thread:** any.
final class Signals {
    private static final List<String> NAMES =
            List.of(
                    "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "EMT", "BUS", "FPE", "KILL",
                    "USR1", "SEGV", "USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT",
                    "STOP", "TSTP", "TTIN", "TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF",
                    "WINCH", "IO", "INFO", "PWR", "SYS");
    private static final Set<String> OF_THE_KERNEL = Set.of("KILL", "STOP");
    private static final Set<String> OF_THE_JVM =
            Set.of("SEGV", "BUS", "FPE", "ILL", "TRAP", "QUIT", "PROF");

    // HotSpot suspends and resumes threads with this one, unless the variable names another.
    private static final String SUSPEND_RESUME = "USR2";
    private static final String SUSPEND_RESUME_MOVED = "_JAVA_SR_SIGNUM";

    // Guarded by the class's lock; the arrays in it are replaced, never changed.
    private static final Map<String, Entry> ENTRIES = new HashMap<>();

    private Signals() {}

    /// {@return the name, if this signal can be watched}
    static String check(String name) {
        Objects.requireNonNull(name, "name");
        if (!NAMES.contains(name) || JvmSignal.number(name) < 0) {
            throw new IllegalArgumentException(
                    "no signal is called \"" + name + "\" here; names are like INT, TERM, USR1");
        }
        if (OF_THE_KERNEL.contains(name)) {
            throw new IllegalArgumentException("SIG" + name + " cannot be caught by any program");
        }
        if (OF_THE_JVM.contains(name)) {
            throw new IllegalArgumentException(
                    "SIG" + name + " is reserved: the JVM uses it itself");
        }
        if (name.equals(SUSPEND_RESUME) && System.getenv(SUSPEND_RESUME_MOVED) == null) {
            throw new IllegalArgumentException(
                    "SIGUSR2 is reserved: the JVM suspends threads with it; use USR1, or set the"
                            + " environment variable "
                            + SUSPEND_RESUME_MOVED
                            + " to another signal's number");
        }
        return name;
    }

    static String check(int number) {
        for (String name : NAMES) {
            if (number > 0 && JvmSignal.number(name) == number) {
                return check(name);
            }
        }
        throw new IllegalArgumentException("there is no signal " + number);
    }

    /// Calls `listener` whenever the process gets this signal.
    ///
    /// @return ends that
    static Runnable listen(String name, Runnable listener) {
        add(name, listener);
        return () -> remove(name, listener);
    }

    private static synchronized void add(String name, Runnable listener) {
        Entry entry = ENTRIES.get(name);
        if (entry == null) {
            entry = new Entry();
            entry.listeners = new Runnable[] {listener};
            entry.restore = install(name, entry);
            ENTRIES.put(name, entry);
        } else {
            int count = entry.listeners.length;
            Runnable[] more = Arrays.copyOf(entry.listeners, count + 1);
            more[count] = listener;
            entry.listeners = more;
        }
    }

    private static synchronized void remove(String name, Runnable listener) {
        Entry entry = ENTRIES.get(name);
        if (entry == null) {
            return;
        }
        entry.listeners =
                Arrays.stream(entry.listeners)
                        .filter(each -> each != listener)
                        .toArray(Runnable[]::new);
        if (entry.listeners.length == 0) {
            ENTRIES.remove(name);
            entry.restore.run();
        }
    }

    private static Runnable install(String name, Entry entry) {
        try {
            return JvmSignal.handle(name, entry::raise);
        } catch (IllegalArgumentException refused) {
            throw new IllegalArgumentException(
                    "SIG" + name + " cannot be watched: " + refused.getMessage(), refused);
        }
    }

    private static final class Entry {
        // Under the lock.
        Runnable restore = () -> {};

        // Written under the lock, read by the JVM's signal thread.
        volatile Runnable[] listeners = {};

        void raise() {
            for (Runnable listener : listeners) {
                listener.run();
            }
        }
    }
}
