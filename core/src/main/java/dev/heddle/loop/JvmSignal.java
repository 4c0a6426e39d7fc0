package dev.heddle.loop;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/// The one class that knows `sun.misc.Signal`, the only way to hear of signals from the JVM.
///
/// By reflection, because naming that class is a compiler warning that cannot be suppressed, and
/// the build lets no warning pass. Nothing here is on a hot path.
///
/// **Thread:** any.
final class JvmSignal {
    private static final Class<?> HANDLER;
    private static final Constructor<?> SIGNAL;
    private static final Method NUMBER;
    private static final Method HANDLE;

    static {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            HANDLER = Class.forName("sun.misc.SignalHandler");
            SIGNAL = signal.getConstructor(String.class);
            NUMBER = signal.getMethod("getNumber");
            HANDLE = signal.getMethod("handle", signal, HANDLER);
        } catch (ReflectiveOperationException cause) {
            throw new ExceptionInInitializerError(cause);
        }
    }

    private JvmSignal() {}

    /// {@return the number of a signal, or -1 if this system has none of that name}
    static int number(String name) {
        try {
            return (int) NUMBER.invoke(SIGNAL.newInstance(name));
        } catch (ReflectiveOperationException unknown) {
            return -1;
        }
    }

    /// Calls `handler` on a thread of the JVM whenever the signal comes.
    ///
    /// @return puts back what handled the signal before
    /// @throws IllegalArgumentException if the JVM keeps the signal for itself
    static Runnable handle(String name, Runnable handler) {
        Object proxy =
                Proxy.newProxyInstance(
                        JvmSignal.class.getClassLoader(),
                        new Class<?>[] {HANDLER},
                        (self, method, arguments) -> answer(self, method, arguments, handler));
        Object old = replace(name, proxy);
        return () -> replace(name, old);
    }

    private static Object answer(Object self, Method method, Object[] arguments, Runnable handler) {
        return switch (method.getName()) {
            case "equals" -> self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            case "toString" -> "handler of heddle";
            default -> {
                handler.run();
                yield method; // `handle` is void: what it gives is ignored
            }
        };
    }

    private static Object replace(String name, Object handler) {
        try {
            return HANDLE.invoke(null, SIGNAL.newInstance(name), handler);
        } catch (InvocationTargetException refused) {
            throw new IllegalArgumentException(reason(refused), refused);
        } catch (ReflectiveOperationException changed) {
            throw new LinkageError("sun.misc.Signal has changed", changed);
        }
    }

    private static String reason(InvocationTargetException refused) {
        Throwable cause = refused.getCause();
        return cause == null ? "refused" : String.valueOf(cause.getMessage());
    }
}
