package dev.heddle.cli;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/// Where a program begins, by the rules of the `java` command since Java 25 (JEP 512): `main` with
/// `String[]` or else without, static or not, own or inherited, anything but private.
///
/// **Thread:** owner.
final class MainMethod {
    private final Method method;
    private final @Nullable Constructor<?> constructor;

    private MainMethod(Method method, @Nullable Constructor<?> constructor) {
        this.method = method;
        this.constructor = constructor;
    }

    /// @param file for the message
    /// @throws UserError if `type` has no main method, or one that cannot be called
    static MainMethod of(Class<?> type, String file) throws UserError {
        Method method = find(type, String[].class);
        if (method == null) {
            method = find(type);
        }
        if (method == null) {
            throw UserError.usage(
                    file
                            + ": no main method in "
                            + type.getSimpleName()
                            + ", the first class of the file; add: void main() { ... }");
        }
        method.setAccessible(true);
        boolean isStatic = Modifier.isStatic(method.getModifiers());
        return new MainMethod(method, isStatic ? null : constructor(type, file));
    }

    /// Calls it.
    ///
    /// @throws Throwable what the program throws, without the frames below it
    void invoke(String[] args) throws Throwable {
        try {
            Object receiver = constructor == null ? null : constructor.newInstance();
            if (method.getParameterCount() == 0) {
                method.invoke(receiver);
            } else {
                method.invoke(receiver, (Object) args);
            }
        } catch (InvocationTargetException wrapper) {
            Throwable thrown = wrapper.getTargetException();
            OurFrames.cutFrom(thrown);
            throw thrown;
        } catch (LinkageError classFailed) {
            OurFrames.cutFrom(classFailed);
            throw classFailed;
        }
    }

    private static @Nullable Method find(Class<?> type, Class<?>... parameters) {
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            try {
                Method method = each.getDeclaredMethod("main", parameters);
                if (isCandidate(method, type)) {
                    return method;
                }
            } catch (NoSuchMethodException notHere) {
                // Go on with what it extends.
            }
        }
        try {
            // What is left to inherit is a default method.
            Method method = type.getMethod("main", parameters);
            return isCandidate(method, type) ? method : null;
        } catch (NoSuchMethodException none) {
            return null;
        }
    }

    private static boolean isCandidate(Method method, Class<?> type) {
        int modifiers = method.getModifiers();
        boolean visible =
                Modifier.isPublic(modifiers)
                        || Modifier.isProtected(modifiers)
                        || method.getDeclaringClass().getPackage() == type.getPackage();
        return visible
                && !Modifier.isPrivate(modifiers)
                && !Modifier.isAbstract(modifiers)
                && method.getReturnType() == void.class;
    }

    private static Constructor<?> constructor(Class<?> type, String file) throws UserError {
        String why = "main is not static";
        if (Modifier.isAbstract(type.getModifiers())) {
            throw UserError.usage(
                    file + ": " + why + ", and " + type.getSimpleName() + " is abstract");
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor();
            if (!Modifier.isPrivate(constructor.getModifiers())) {
                constructor.setAccessible(true);
                return constructor;
            }
        } catch (NoSuchMethodException none) {
            // No such constructor: said below.
        }
        throw UserError.usage(
                file
                        + ": "
                        + why
                        + ", and "
                        + type.getSimpleName()
                        + " has no constructor without parameters that is not private");
    }
}
