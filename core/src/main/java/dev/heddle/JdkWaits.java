package dev.heddle;

import java.util.List;

/// Tells what a coroutine that is parked in a call of the JDK waits for: the world, which will do
/// something or not, or somebody in this process, who may never come.
///
/// A wait for a time ends by itself. A socket, a process and a watched file are the world's. What
/// is left is a lock, a monitor, or a park without an end: a queue, a latch, a future.
///
/// **Thread:** any.
final class JdkWaits {
    // Whatever the JDK parks for inside of these.
    private static final List<String> WORLDLY =
            List.of(
                    "sun.nio.ch.",
                    "sun.nio.fs.",
                    "java.net.",
                    "jdk.internal.net.http.",
                    "java.lang.ProcessImpl",
                    "java.lang.ProcessHandleImpl");

    private JdkWaits() {}

    /// {@return whether the world may wake it. One that runs, or is about to, has been woken}
    static boolean isForTheWorld(Thread thread) {
        return switch (thread.getState()) {
            case NEW, RUNNABLE, TIMED_WAITING, TERMINATED -> true;
            case WAITING, BLOCKED -> isWorldly(thread.getStackTrace());
        };
    }

    // Only what was called by the program's last frame: below it are other calls.
    private static boolean isWorldly(StackTraceElement[] stack) {
        for (StackTraceElement frame : stack) {
            String name = frame.getClassName();
            if (WORLDLY.stream().anyMatch(name::startsWith)) {
                return true;
            }
            if (!isOfTheJdk(frame)) {
                return false;
            }
        }
        return false;
    }

    private static boolean isOfTheJdk(StackTraceElement frame) {
        String module = frame.getModuleName();
        return module != null && (module.startsWith("java.") || module.startsWith("jdk."));
    }
}
