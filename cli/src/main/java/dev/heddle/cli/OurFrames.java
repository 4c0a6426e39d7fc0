package dev.heddle.cli;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/// The stack below a program's main method: this command line and the reflection that it uses. They
/// say nothing to whoever reads a stack trace of the program.
///
/// **Thread:** owner.
final class OurFrames {
    private static final String OURS = OurFrames.class.getPackageName() + ".";
    private static final List<String> BELOW_MAIN =
            List.of(OURS, "java.lang.reflect.", "java.lang.invoke.", "jdk.internal.");

    private OurFrames() {}

    /// Cuts them off `thrown`, its causes and what it suppressed.
    static void cutFrom(Throwable thrown) {
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Throwable> toDo = new ArrayDeque<>(List.of(thrown));
        for (Throwable each = toDo.poll(); each != null; each = toDo.poll()) {
            if (seen.add(each)) {
                each.setStackTrace(cut(each.getStackTrace()));
                toDo.addAll(List.of(each.getSuppressed()));
                Throwable cause = each.getCause();
                if (cause != null) {
                    toDo.add(cause);
                }
            }
        }
    }

    private static StackTraceElement[] cut(StackTraceElement[] frames) {
        int end = frames.length;
        // Other threads' stacks do not stand on ours, and stay as they are.
        if (end == 0 || !frames[end - 1].getClassName().startsWith(OURS)) {
            return frames;
        }
        while (end > 0 && isBelowMain(frames[end - 1].getClassName())) {
            end--;
        }
        return List.of(frames).subList(0, end).toArray(StackTraceElement[]::new);
    }

    private static boolean isBelowMain(String className) {
        return BELOW_MAIN.stream().anyMatch(className::startsWith);
    }
}
