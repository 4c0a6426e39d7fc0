package dev.heddle.test;

import java.util.List;

/// What two failures have in common when they show the same bug: what was thrown, and by which line
/// of code that is neither the JDK's nor a test library's. A [Shrinker] that took any failure for
/// the one it began with would wander off to another bug.
///
/// **Thread:** immutable.
///
/// @param type the class of what was thrown
/// @param frame the line, or an empty text if the failure does not say
record FailureKind(String type, String frame) {
    private static final List<String> LIBRARIES =
            List.of(
                    "java.",
                    "javax.",
                    "jdk.",
                    "sun.",
                    "org.junit.",
                    "org.opentest4j.",
                    "org.assertj.",
                    "org.hamcrest.",
                    Property.class.getName(),
                    Choices.class.getName(),
                    Commands.class.getName(),
                    Tape.class.getName(),
                    Shrinker.class.getName());

    static FailureKind of(Throwable failure) {
        String type = failure.getClass().getName();
        // Where the stack ends is chance.
        return new FailureKind(type, failure instanceof VirtualMachineError ? "" : frame(failure));
    }

    private static String frame(Throwable failure) {
        for (var frame : failure.getStackTrace()) {
            String name = frame.getClassName();
            if (LIBRARIES.stream().noneMatch(library -> isOf(name, library))) {
                return frame.toString();
            }
        }
        return "";
    }

    private static boolean isOf(String name, String library) {
        return library.endsWith(".")
                ? name.startsWith(library)
                : name.equals(library) || name.startsWith(library + "$");
    }
}
