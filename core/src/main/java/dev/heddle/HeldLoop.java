package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Why a loop does not move, in words: who has its thread, and what the others do meanwhile.
///
/// A coroutine that waits inside a class initialiser, or below a native frame, cannot leave the
/// thread. In a wait of ours that is ended by an exception. In a wait of the JDK it is not: nobody
/// knows whether it would end by itself, and a lock takes no interrupt.
///
/// **Thread:** any, if the loop has not moved for long. What is told about other coroutines is a
/// look from outside, without a lock.
final class HeldLoop {
    static final String ADVICE = "What computes for long or blocks belongs into Heddle.offload";
    private static final int OTHERS_MAX = 5;
    private static final int FRAMES_MAX = 16;

    private HeldLoop() {}

    /// What whoever has the thread does with it.
    enum Hold {
        /// It computes, or blocks in a system call.
        COMPUTES,
        /// It waits for a time, which ends.
        SLEEPS,
        /// It waits in a call of the JDK.
        WAITS_IN_JDK,
        /// It waits in a wait of ours.
        WAITS_FOR_US;

        /// {@return whether it may last for ever}
        boolean isEndless() {
            return this == WAITS_IN_JDK || this == WAITS_FOR_US;
        }
    }

    /// {@return the class whose initialiser is on the stack}
    static Optional<String> initialised(List<StackTraceElement> stack) {
        return stack.stream()
                .filter(frame -> frame.getMethodName().equals("<clinit>"))
                .map(StackTraceElement::getClassName)
                .findFirst();
    }

    static String explain(
            Scheduler scheduler,
            Hold hold,
            List<StackTraceElement> stack,
            @Nullable Coroutine<?> holder) {
        String keeper =
                initialised(stack)
                        .map(name -> "the initialiser of " + name)
                        .orElse("a native frame");
        return switch (hold) {
            case COMPUTES -> ADVICE + classesBeingInitialised(scheduler);
            case SLEEPS -> ADVICE;
            case WAITS_FOR_US ->
                    "It waits, and "
                            + keeper
                            + " on its stack keeps the loop's thread with it: the wait ends with"
                            + " an exception";
            case WAITS_IN_JDK ->
                    "It waits in a call of the JDK"
                            + (holder == null
                                    ? ""
                                    : ", and "
                                            + keeper
                                            + " on its stack keeps the loop's thread with it")
                            + ". Nothing can be done about that from here: if a coroutine of this"
                            + " loop has what it waits for, both wait for ever"
                            + others(scheduler, holder);
        };
    }

    // The JDK does not tell who has a lock. But whoever has it and cannot run is one of these.
    private static String others(Scheduler scheduler, @Nullable Coroutine<?> holder) {
        var text = new StringBuilder();
        int shown = 0;
        int left = 0;
        for (var other : scheduler.registry.glance()) {
            Thread thread = other.fiber().thread();
            if (other == holder || thread == null || !other.fiber().isStarted()) {
                continue;
            }
            if (++shown > OTHERS_MAX) {
                left++;
            } else {
                text.append(shown == 1 ? ". The others are:" : "");
                text.append("\n  ").append(WaitLines.origin(other));
                append(text, List.of(thread.getStackTrace()));
            }
        }
        return text.append(left == 0 ? "" : "\n  and " + left + " more").toString();
    }

    // Whoever needs a class that another thread initialises waits inside the JVM, and looks like
    // one that computes.
    private static String classesBeingInitialised(Scheduler scheduler) {
        var text = new StringBuilder();
        for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
            if (each.getKey() != scheduler.thread()) {
                appendInitialiser(text, each.getKey().toString(), List.of(each.getValue()));
            }
        }
        for (Scheduler other : Schedulers.running()) {
            Coroutine<?> running = other.current;
            Thread thread = running == null ? null : running.fiber().thread();
            if (other != scheduler && running != null && thread != null) {
                appendInitialiser(text, WaitLines.origin(running), List.of(thread.getStackTrace()));
            }
        }
        return text.toString();
    }

    private static void appendInitialiser(
            StringBuilder text, String who, List<StackTraceElement> stack) {
        initialised(stack)
                .ifPresent(
                        name -> {
                            text.append(". If it waits for class ")
                                    .append(name)
                                    .append(": that is being initialised by ")
                                    .append(who);
                            append(text, stack);
                        });
    }

    private static void append(StringBuilder text, List<StackTraceElement> stack) {
        stack.stream().limit(FRAMES_MAX).forEach(each -> text.append("\n\tat ").append(each));
    }
}
