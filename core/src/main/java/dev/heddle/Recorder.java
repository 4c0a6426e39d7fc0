package dev.heddle;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.RecordingState;
import jdk.jfr.StackTrace;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What goes wrong, as events of the JDK Flight Recorder.
///
/// A run time without the module `jdk.jfr` has none, and nothing of it is loaded until a recording
/// has been made in this JVM.
///
/// **Thread:** any.
final class Recorder {
    private static final boolean IS_THERE = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private static final int FRAMES_MAX = 32;

    private Recorder() {}

    static void unanswered(Coroutine<?> coroutine, CancelRequest request) {
        if (IS_THERE && isOn()) {
            var event = new UnansweredCancellation();
            event.coroutine = WaitLines.label(coroutine);
            event.reason = request.reason;
            event.windows = request.unanswered();
            event.stack = text(coroutine.stack());
            event.commit();
        }
    }

    static void zombie(Coroutine<?> coroutine, String why) {
        if (IS_THERE && isOn()) {
            var event = new Zombie();
            event.coroutine = WaitLines.label(coroutine);
            event.reason = why;
            event.stack = text(coroutine.stack());
            event.commit();
        }
    }

    static void blockedLoop(@Nullable Coroutine<?> blocker, List<StackTraceElement> stack) {
        if (IS_THERE && isOn()) {
            var event = new BlockedLoop();
            event.coroutine = blocker == null ? "" : WaitLines.label(blocker);
            event.stack = text(stack);
            event.commit();
        }
    }

    static void deadlock(DeadlockError error) {
        if (IS_THERE && isOn()) {
            var event = new Deadlock();
            event.members = error.members().size();
            event.report = String.valueOf(error.getMessage());
            event.commit();
        }
    }

    /// {@return whether a recording runs, of whatever. Costs some microseconds once there has been
    /// one}
    static boolean isRecording() {
        return IS_THERE
                && isOn()
                && FlightRecorder.getFlightRecorder().getRecordings().stream()
                        .anyMatch(recording -> recording.getState() == RecordingState.RUNNING);
    }

    // Loading the classes of events takes milliseconds of the loop: not if nobody can want them.
    private static boolean isOn() {
        return FlightRecorder.isInitialized();
    }

    private static String text(List<StackTraceElement> stack) {
        var text = new StringBuilder();
        stack.stream().limit(FRAMES_MAX).forEach(frame -> text.append(frame).append('\n'));
        return text.toString();
    }

    @Name("heddle.UnansweredCancellation")
    @Label("Unanswered Cancellation")
    @Description("A coroutine goes on although its clean-up window has ended")
    @Category("Heddle")
    @StackTrace(false)
    static final class UnansweredCancellation extends Event {
        @Label("Coroutine")
        String coroutine = "";

        @Label("Reason")
        String reason = "";

        @Label("Windows")
        @Description("How many clean-up windows have ended without an answer")
        int windows;

        @Label("Stack")
        String stack = "";
    }

    @Name("heddle.Zombie")
    @Label("Zombie")
    @Description("A coroutine goes on although nobody waits for it any more")
    @Category("Heddle")
    @StackTrace(false)
    static final class Zombie extends Event {
        @Label("Coroutine")
        String coroutine = "";

        @Label("Reason")
        String reason = "";

        @Label("Stack")
        String stack = "";
    }

    @Name("heddle.BlockedLoop")
    @Label("Blocked Loop")
    @Description("A coroutine or a callback keeps its loop from running")
    @Category("Heddle")
    @StackTrace(false)
    static final class BlockedLoop extends Event {
        @Label("Coroutine")
        @Description("Empty for a callback")
        String coroutine = "";

        @Label("Stack")
        String stack = "";
    }

    @Name("heddle.Deadlock")
    @Label("Deadlock")
    @Description("Coroutines wait for what nothing can bring about")
    @Category("Heddle")
    @StackTrace(false)
    static final class Deadlock extends Event {
        @Label("Members")
        int members;

        @Label("Report")
        String report = "";
    }
}
