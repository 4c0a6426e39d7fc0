package dev.heddle;

/// Something of one loop was used on another.
///
/// **Thread:** immutable, as far as throwables are.
public final class WrongLoopException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    WrongLoopException(String what, Object owner, Object here) {
        super(
                what
                        + " belongs to "
                        + owner
                        + ", but this is "
                        + here
                        + "; hand the result over by a promise, whose complete() any thread may"
                        + " call");
    }
}
