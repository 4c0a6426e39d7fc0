package dev.heddle;

import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileLockInterruptionException;

/// The exceptions by which a call of the JDK says that it ended because its thread was interrupted.
///
/// **Thread:** immutable.
final class JdkInterrupts {
    // A plain socket has no exception of its own for this, only these words.
    private static final String SOCKET_CLOSED = "Closed by interrupt";

    private JdkInterrupts() {}

    static boolean isOne(Throwable thrown) {
        return switch (thrown) {
            case InterruptedException _ -> true;
            case ClosedByInterruptException _ -> true;
            case FileLockInterruptionException _ -> true;
            case SocketTimeoutException _ -> false;
            case InterruptedIOException _ -> true;
            case SocketException closed -> SOCKET_CLOSED.equals(closed.getMessage());
            default -> false;
        };
    }
}
