package dev.heddle.test;

import dev.heddle.Coroutine;
import dev.heddle.CoroutineState;
import dev.heddle.Heddle;
import dev.heddle.loop.Loop;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/// Tells from its stack whether a coroutine, parked in a call of the JDK while nothing else can
/// run, waits for real time or a real thread.
///
/// **Thread:** loop.
final class RealBlocking {
    /*
     * The loop has nothing to do, and is about to move the clock. A coroutine that is parked in the JDK
     * is then one of these:
     *
     *   sleeps, parks or waits for a    the JDK will wake it, in real time: an error
     *   time
     *   waits for a socket              so will the kernel: an error
     *   parks for ever                  another coroutine may hold the lock, and waits for virtual time:
     *                                   an error only if nothing is going to happen in that
     *   waits for a monitor             the same; but once the monitor is free a thread of the JDK wakes
     *                                   it, which takes a moment of real time: see HandOver
     */
    private static final Set<String> TIMED = Set.of("parkNanos", "sleepNanos", "sleep");
    private static final String VIRTUAL_THREAD = "java.lang.VirtualThread";
    private static final int FRAMES_LOOKED_AT = 12;

    private RealBlocking() {}

    /// {@return whether virtual time is about to pass while it waits, perhaps for a lock that
    /// another coroutine holds meanwhile, perhaps for a thread}
    ///
    /// @throws RealBlockingError if it can only be waiting for real time or a real thread
    static boolean check(Coroutine<?> coroutine, long timeoutNanos, Loop loop) {
        List<StackTraceElement> stack = coroutine.stack();
        if (isRealTime(stack)) {
            throw error(coroutine, stack, "");
        }
        if (!isParked(stack)) {
            HandOver.await();
        }
        if (timeoutNanos < 0 && !loop.hasReady()) {
            throw error(coroutine, stack, ", and no coroutine can end that");
        }
        return timeoutNanos > 0 && !loop.hasReady();
    }

    /// {@return whether a coroutine that waited for a monitor has become ready, after a moment for
    /// the JDK to say so}
    static boolean isHandedOver(Loop loop) {
        for (var each : Heddle.coroutines()) {
            if (each.state() == CoroutineState.IN_JDK_CALL && !isParked(each.stack())) {
                HandOver.await();
                return loop.hasReady();
            }
        }
        return false;
    }

    private static boolean isRealTime(List<StackTraceElement> stack) {
        return stack.stream()
                        .limit(FRAMES_LOOKED_AT)
                        .anyMatch(
                                frame ->
                                        isTimed(frame)
                                                || frame.getClassName().startsWith("sun.nio.ch.")
                                                || frame.getClassName().startsWith("java.net."))
                || isTimedWait(stack);
    }

    // wait() is wait(0), which shows as one frame more; nobody writes wait(0) himself.
    private static boolean isTimedWait(List<StackTraceElement> stack) {
        return stack.stream()
                .limit(FRAMES_LOOKED_AT)
                .filter(frame -> frame.getClassName().equals("java.lang.Object"))
                .map(StackTraceElement::getMethodName)
                .toList()
                .equals(List.of("wait0", "wait"));
    }

    private static boolean isTimed(StackTraceElement frame) {
        return frame.getClassName().equals(VIRTUAL_THREAD) && TIMED.contains(frame.getMethodName());
    }

    private static boolean isParked(List<StackTraceElement> stack) {
        return stack.stream()
                .limit(FRAMES_LOOKED_AT)
                .anyMatch(frame -> frame.getClassName().equals(LockSupport.class.getName()));
    }

    private static RealBlockingError error(
            Coroutine<?> coroutine, List<StackTraceElement> stack, String more) {
        return new RealBlockingError(
                coroutine.name()
                        + " blocks for real in virtual time: it is in "
                        + where(stack)
                        + more
                        + "; use Heddle.delay, await or offload, or test with virtualTime = false",
                stack);
    }

    /// {@return the call that this is the stack of, and who makes it}
    static String where(List<StackTraceElement> stack) {
        return stack.isEmpty() ? "a call of the JDK" : describe(stack, userFrame(stack));
    }

    private static String describe(
            List<StackTraceElement> stack, @Nullable StackTraceElement user) {
        StackTraceElement call = stack.getFirst();
        for (var frame : stack) {
            if (frame.equals(user)) {
                break;
            }
            call = frame;
        }
        String what = call.getClassName() + "." + call.getMethodName();
        return user == null ? what : what + ", called by " + user;
    }

    private static @Nullable StackTraceElement userFrame(List<StackTraceElement> stack) {
        for (var frame : stack) {
            String module = frame.getModuleName();
            if (module == null || !(module.startsWith("java.") || module.startsWith("jdk."))) {
                return frame;
            }
        }
        return null;
    }
}
