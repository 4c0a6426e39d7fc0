package dev.heddle.libraries;

/// A server is not installed here.
///
/// **Thread:** immutable.
final class MissingServerException extends Exception {
    private static final long serialVersionUID = 1;

    MissingServerException(String server, String cure) {
        super(server + " is not installed: " + cure);
    }
}
