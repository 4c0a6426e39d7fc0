package dev.heddle.sys;

import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.VarHandle;

/// Atomic access to a field of the class that asks.
///
/// **Thread:** any.
public final class AtomicField {
    private AtomicField() {}

    /// {@return the handle of a field, for a `static final` constant}
    ///
    /// @param owner `MethodHandles.lookup()` of the class that has the field
    public static VarHandle of(Lookup owner, String name, Class<?> type) {
        try {
            return owner.findVarHandle(owner.lookupClass(), name, type);
        } catch (ReflectiveOperationException cause) {
            throw new ExceptionInInitializerError(cause);
        }
    }
}
