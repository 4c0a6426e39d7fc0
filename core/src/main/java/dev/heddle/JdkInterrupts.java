package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.io.InterruptedIOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileLockInterruptionException;
import java.util.Set;

/// The exceptions by which a call of the JDK says that it ended because its thread was interrupted.
///
/// **Thread:** immutable.
final class JdkInterrupts {
    // A plain socket has no exceptions of its own for these, only words.
    private static final String SOCKET_CLOSED = "Closed by interrupt";
    private static final Set<String> SOCKET_GONE = Set.of("Socket closed", "Socket is closed");

    // Causes may form a circle.
    private static final int CAUSES_MAX = 10;

    private JdkInterrupts() {}

    static boolean isOne(Throwable thrown) {
        return switch (thrown) {
            case InterruptedException _ -> true;
            case ClosedByInterruptException _ -> true;
            case FileLockInterruptionException _ -> true;
            case SocketTimeoutException _ -> false;
            case InterruptedIOException _ -> true;
            case SocketException closed -> SOCKET_CLOSED.equals(Report.messageOf(closed));
            default -> false;
        };
    }

    /// {@return whether it is one, or was caused by one, or by a socket that is closed: if there
    /// was an interrupt, a library has made it of that}
    static boolean isBehind(Throwable thrown) {
        @Nullable Throwable each = thrown;
        for (int i = 0; each != null && i < CAUSES_MAX; i++) {
            if (isOne(each) || isOfClosedSocket(each)) {
                return true;
            }
            each = Report.causeOf(each);
        }
        return false;
    }

    // What uses a socket again that an interrupt has closed, to put it away, often throws this in
    // place of what the interrupt has thrown.
    private static boolean isOfClosedSocket(Throwable thrown) {
        return switch (thrown) {
            case ClosedChannelException _ -> true;
            case SocketException gone -> SOCKET_GONE.contains(Report.messageOf(gone));
            default -> false;
        };
    }
}
