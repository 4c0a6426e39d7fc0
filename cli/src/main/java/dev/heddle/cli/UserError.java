package dev.heddle.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;

/// Something that the user can put right, said in one line. Never shown with a stack trace.
///
/// **Thread:** immutable.
final class UserError extends Exception {
    /// The program, or its compilation, failed.
    static final int FAILED = 1;

    /// The command line asks for something that does not exist.
    static final int USAGE = 2;

    private static final long serialVersionUID = 1;

    private final int exitCode;

    private UserError(int exitCode, String message) {
        super(message, null, false, false);
        this.exitCode = exitCode;
    }

    /// @param message one line; empty if somebody else has said everything already
    static UserError failed(String message) {
        return new UserError(FAILED, message);
    }

    static UserError usage(String message) {
        return new UserError(USAGE, message);
    }

    int exitCode() {
        return exitCode;
    }

    void print() {
        String message = String.valueOf(getMessage());
        if (!message.isEmpty()) {
            System.err.println("heddle: " + message);
        }
    }

    /// {@return what the system said, without the name of the file, which the message around has}
    static String reason(IOException failure) {
        return switch (failure) {
            case AccessDeniedException _ -> "permission denied";
            case FileSystemException named when named.getReason() != null -> named.getReason();
            default -> String.valueOf(failure.getMessage());
        };
    }
}
