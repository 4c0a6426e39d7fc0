package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Several things failed that all had to be tried, such as the handlers of one end.
///
/// **Thread:** immutable, as far as throwables are.
public final class CompositeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Throwable> errors;

    CompositeException(String message, List<? extends Throwable> errors) {
        super(message + ": " + errors.size() + " failed", errors.getFirst());
        this.errors = List.copyOf(errors);
        this.errors.stream().skip(1).forEach(this::addSuppressed);
    }

    /// {@return what failed, in the order it was tried}
    public List<Throwable> errors() {
        return errors;
    }

    /// {@return null for none, the error itself for one, a composite for more}
    static @Nullable Throwable of(String message, List<? extends Throwable> errors) {
        return switch (errors.size()) {
            case 0 -> null;
            case 1 -> errors.getFirst();
            default -> new CompositeException(message, errors);
        };
    }
}
