package dev.heddle;

import org.jspecify.annotations.Nullable;

/// Where something happened in the user's program.
///
/// **Thread:** any.
final class Place {
    private static final StackWalker WALKER = StackWalker.getInstance();
    private static final String OURS = "dev.heddle.";

    private Place() {}

    /// {@return the first line of the stack that is not Heddle's, `File.java:10`}
    static String ofCaller() {
        return WALKER.walk(
                frames ->
                        frames.filter(frame -> isUsers(frame.getClassName()))
                                .findFirst()
                                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                                .orElse("unknown"));
    }

    /// {@return the first line of `stack` that is neither Heddle's nor the JDK's}
    static String firstOutside(StackTraceElement[] stack) {
        for (var frame : stack) {
            if (isUsers(frame.getClassName())) {
                return frame.getFileName() + ":" + frame.getLineNumber();
            }
        }
        return "unknown";
    }

    /// {@return in words what was recorded: a place, or only the class of a body}
    static String describe(@Nullable Object recorded) {
        return switch (recorded) {
            case null -> "unknown";
            case Class<?> body -> ofClass(body.getName());
            default -> recorded.toString();
        };
    }

    // The class that a lambda was written in says more than the lambda's own name.
    private static String ofClass(String name) {
        int lambda = name.indexOf("$$Lambda");
        String shown = lambda < 0 ? name : name.substring(0, lambda);
        return shown.substring(shown.lastIndexOf('.') + 1);
    }

    static boolean isUsers(String className) {
        return !isOurs(className)
                && !className.startsWith("java.")
                && !className.startsWith("jdk.")
                && !className.startsWith("sun.");
    }

    // The packages of the library, and not those of a program that happens to begin alike: tests
    // and examples of ours are users too.
    private static boolean isOurs(String className) {
        if (!className.startsWith(OURS)) {
            return false;
        }
        String rest = className.substring(OURS.length());
        boolean isTest = rest.contains("Test");
        return !isTest
                && (Character.isUpperCase(rest.charAt(0))
                        || rest.startsWith("event.")
                        || rest.startsWith("loop."));
    }
}
