package dev.heddle.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import java.util.function.Predicate;

/// Another thread, which acts once the thread that made it is asleep inside a given method. So a
/// test shows what ends a sleep without sleeping itself and without guessing how long to wait.
///
/// **Thread:** owner (who makes it and then goes to sleep).
public final class Bystander implements AutoCloseable {
    private final FutureTask<Void> task;
    private final Thread thread;

    private Bystander(Runnable body) {
        task = new FutureTask<>(body, null);
        thread = Thread.ofPlatform().name("bystander").start(task);
    }

    /// Acts at once.
    public static Bystander doing(Runnable action) {
        return new Bystander(action);
    }

    /// Acts when the calling thread sleeps in a method of this name.
    public static Bystander onceAsleepIn(String method, Runnable action) {
        return onceAsleepAt(frame -> frame.getMethodName().equals(method), action);
    }

    /// Acts when the calling thread sleeps in a system call of ours. A thread that the JVM has just
    /// stopped looks asleep, too: one that is on its way to the call has not said that it sleeps.
    public static Bystander onceAsleepInKernel(Runnable action) {
        return onceAsleepAt(frame -> frame.getClassName().startsWith("dev.heddle.sys."), action);
    }

    private static Bystander onceAsleepAt(Predicate<StackTraceElement> place, Runnable action) {
        var sleeper = Thread.currentThread();
        var status = Path.of("/proc/self/task");
        // Elsewhere only the stack is looked at, and the sleeper may be about to sleep.
        boolean visible = Files.exists(status);
        var file = visible ? status.resolve(Libc.threadId() + "/stat") : status;
        return new Bystander(
                () -> {
                    while (!isAt(sleeper, place) || (visible && !isAsleep(file))) {
                        Thread.onSpinWait();
                    }
                    action.run();
                });
    }

    /// Waits for the end, and passes on what it threw.
    @Override
    public void close() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (task.state() == FutureTask.State.FAILED) {
            throw new AssertionError("the bystander failed", task.exceptionNow());
        }
    }

    private static boolean isAt(Thread sleeper, Predicate<StackTraceElement> place) {
        return Arrays.stream(sleeper.getStackTrace()).anyMatch(place);
    }

    // proc_pid_stat(5): number, name in parentheses, then the state, S for a sleep.
    private static boolean isAsleep(Path stat) {
        try {
            String line = Files.readString(stat);
            return line.startsWith(" S", line.lastIndexOf(')') + 1);
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }
}
