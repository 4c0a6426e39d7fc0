package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;

/// Makes virtual threads whose scheduler is ours: the one class that touches what the JDK keeps to
/// itself. When it gets a public way to say who schedules a virtual thread, only this changes.
///
/// **Thread:** any.
final class Carrier {
    /*
     * What is used of java.lang, and why:
     *
     *   ThreadBuilders.newVirtualThread(Executor, …)  a virtual thread with a scheduler of its own
     *   Thread.currentCarrierThread()                 "am I on the loop?", asked by a coroutine: its
     *                                                 Thread.currentThread() is the virtual one
     *   Thread.scopedValueBindings                    to hand the spawner's ScopedValues to the child
     *   Thread.setScopedValueCache(…)                 to have a wiped thread forget what it looked up
     *   Thread.threadLocals and others                to wipe a thread that the next coroutine gets
     *   VirtualThread.defaultScheduler()              where threads run that coroutines start: they
     *                                                 inherit our scheduler, and belong elsewhere
     *
     * All of it is looked up once. What is missing is remembered and told by `ensureReady`, so that
     * the user gets one message instead of an ExceptionInInitializerError. Only the last may be missing:
     * then such threads run on the loop, see Scheduler.
     */
    private static final String OPENS = "--add-opens java.base/java.lang=";
    private static final String OLD_JDK_PROPERTY = "heddle.allowOldJdk";

    // As the JDK marks them.
    private static final Class<?> THREAD_HAS_NO_BINDINGS = Thread.class;
    private static final int NO_INHERITANCE = 1 << 2;

    private static final @Nullable MethodHandle NEW_THREAD;
    private static final @Nullable MethodHandle CURRENT_CARRIER;
    private static final @Nullable MethodHandle CURRENT_BINDINGS;
    private static final @Nullable MethodHandle SET_SCOPED_VALUE_CACHE;
    private static final @Nullable VarHandle BINDINGS;
    private static final @Nullable VarHandle LOCALS;
    private static final @Nullable VarHandle INHERITABLE_LOCALS;
    private static final @Nullable VarHandle CLASS_LOADER;
    private static final @Nullable VarHandle SCOPES;
    private static final @Nullable VarHandle UNCAUGHT;
    private static final @Nullable Executor DEFAULT_SCHEDULER;
    private static final @Nullable String PROBLEM;

    static {
        MethodHandle newThread = null;
        MethodHandle currentCarrier = null;
        MethodHandle currentBindings = null;
        MethodHandle setScopedValueCache = null;
        VarHandle bindings = null;
        VarHandle locals = null;
        VarHandle inheritableLocals = null;
        VarHandle classLoader = null;
        VarHandle scopes = null;
        VarHandle uncaught = null;
        String problem = versionProblem(Runtime.version(), Boolean.getBoolean(OLD_JDK_PROPERTY));
        try {
            Lookup threads = MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
            newThread =
                    threads.findStatic(
                            threads.findClass("java.lang.ThreadBuilders"),
                            "newVirtualThread",
                            MethodType.methodType(
                                    Thread.class,
                                    Executor.class,
                                    String.class,
                                    int.class,
                                    Runnable.class));
            currentCarrier =
                    threads.findStatic(
                            Thread.class,
                            "currentCarrierThread",
                            MethodType.methodType(Thread.class));
            setScopedValueCache =
                    threads.findStatic(
                            Thread.class,
                            "setScopedValueCache",
                            MethodType.methodType(void.class, Object[].class));
            bindings = threads.findVarHandle(Thread.class, "scopedValueBindings", Object.class);
            Class<?> map = threads.findClass("java.lang.ThreadLocal$ThreadLocalMap");
            locals = threads.findVarHandle(Thread.class, "threadLocals", map);
            inheritableLocals = threads.findVarHandle(Thread.class, "inheritableThreadLocals", map);
            classLoader =
                    threads.findVarHandle(Thread.class, "contextClassLoader", ClassLoader.class);
            scopes =
                    threads.findVarHandle(
                            Thread.class,
                            "headStackableScopes",
                            Class.forName("jdk.internal.vm.StackableScope"));
            uncaught =
                    threads.findVarHandle(
                            Thread.class,
                            "uncaughtExceptionHandler",
                            Thread.UncaughtExceptionHandler.class);
            Lookup values =
                    MethodHandles.privateLookupIn(ScopedValue.class, MethodHandles.lookup());
            currentBindings =
                    values.findStatic(
                                    ScopedValue.class,
                                    "scopedValueBindings",
                                    MethodType.methodType(
                                            values.findClass("java.lang.ScopedValue$Snapshot")))
                            .asType(MethodType.methodType(Object.class));
            // Its initialiser starts virtual threads that serve the sockets of the whole process.
            // They would inherit the loop from the coroutine that happens to use a socket first,
            // and keep it in memory for as long as the process lives (decisions 18 and 21).
            Class.forName("sun.nio.ch.Poller");
        } catch (IllegalAccessException notOpen) {
            problem = problem == null ? missingFlag(Carrier.class.getModule()) : problem;
        } catch (ReflectiveOperationException unknown) {
            problem = problem == null ? unknownJdk(unknown) : problem;
        }
        NEW_THREAD = newThread;
        CURRENT_CARRIER = currentCarrier;
        CURRENT_BINDINGS = currentBindings;
        BINDINGS = bindings;
        LOCALS = locals;
        INHERITABLE_LOCALS = inheritableLocals;
        CLASS_LOADER = classLoader;
        SET_SCOPED_VALUE_CACHE = setScopedValueCache;
        SCOPES = scopes;
        UNCAUGHT = uncaught;
        DEFAULT_SCHEDULER = findDefaultScheduler();
        PROBLEM = problem;
    }

    private Carrier() {}

    private static @Nullable Executor findDefaultScheduler() {
        try {
            Lookup threads = MethodHandles.privateLookupIn(Thread.class, MethodHandles.lookup());
            return (Executor)
                    threads.findStatic(
                                    threads.findClass("java.lang.VirtualThread"),
                                    "defaultScheduler",
                                    MethodType.methodType(Executor.class))
                            .invokeExact();
        } catch (Throwable missing) {
            return null;
        }
    }

    /// {@return what runs virtual threads that nobody gave a scheduler; null if this JDK does not
    /// tell}
    static @Nullable Executor defaultScheduler() {
        return DEFAULT_SCHEDULER;
    }

    /// @throws IllegalStateException if coroutines cannot run here, with the line that helps
    static void ensureReady() {
        if (PROBLEM != null) {
            throw new IllegalStateException(PROBLEM);
        }
    }

    /// {@return a virtual thread, not started, that hands its continuations to `scheduler` and
    /// inherits nothing}
    static Thread newThread(
            Executor scheduler,
            @Nullable String name,
            Runnable body,
            @Nullable ClassLoader loader) {
        Thread thread = newThread(scheduler, name, NO_INHERITANCE, body);
        known(CLASS_LOADER).set(thread, loader);
        return thread;
    }

    /// {@return a virtual thread, not started, that has what the calling thread hands to its
    /// children}
    static Thread newHeir(Executor scheduler, @Nullable String name, Runnable body) {
        Thread thread = newThread(scheduler, name, 0, body);
        inheritBindings(thread);
        return thread;
    }

    private static Thread newThread(
            Executor scheduler, @Nullable String name, int characteristics, Runnable body) {
        try {
            return (Thread) known(NEW_THREAD).invokeExact(scheduler, name, characteristics, body);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /// {@return whether the calling thread has something to hand to its children}
    ///
    /// @param usual the class loader that is not worth a mention
    static boolean hasHeirs(@Nullable ClassLoader usual) {
        Thread current = Thread.currentThread();
        return (Object) known(BINDINGS).get(current) != (Object) THREAD_HAS_NO_BINDINGS
                || (Object) known(INHERITABLE_LOCALS).get(current) != null
                || (Object) known(CLASS_LOADER).get(current) != (Object) usual;
    }

    /// Makes the calling thread as new.
    ///
    /// @return false if that cannot be done: it has scopes open that only its end closes
    static boolean wipe(Thread thread, @Nullable ClassLoader loader) {
        if ((Object) known(SCOPES).get(thread) != null) {
            return false;
        }
        Thread.interrupted();
        if ((Object) known(LOCALS).get(thread) != null) {
            known(LOCALS).set(thread, (Object) null);
        }
        if ((Object) known(INHERITABLE_LOCALS).get(thread) != null) {
            known(INHERITABLE_LOCALS).set(thread, (Object) null);
        }
        if ((Object) known(CLASS_LOADER).get(thread) != (Object) loader) {
            known(CLASS_LOADER).set(thread, loader);
        }
        if ((Object) known(BINDINGS).get(thread) != (Object) THREAD_HAS_NO_BINDINGS) {
            known(BINDINGS).set(thread, (Object) THREAD_HAS_NO_BINDINGS);
            forgetScopedValues();
        }
        if ((Object) known(UNCAUGHT).get(thread) != null) {
            known(UNCAUGHT).set(thread, (Object) null);
        }
        if (!thread.getName().isEmpty()) {
            thread.setName("");
        }
        return true;
    }

    // The values that were looked up are cached, and only the end of a binding invalidates them:
    // those that a thread was born with have none.
    private static void forgetScopedValues() {
        try {
            known(SET_SCOPED_VALUE_CACHE).invokeExact((Object[]) null);
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /// {@return the platform thread that runs the caller}
    static Thread current() {
        try {
            return (Thread) known(CURRENT_CARRIER).invokeExact();
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /// {@return the ScopedValue bindings of the calling thread, for [#exchangeScopedValues]; null
    /// if it has none}
    static @Nullable Object scopedValues() {
        if (known(BINDINGS).get(Thread.currentThread()) == (Object) THREAD_HAS_NO_BINDINGS) {
            return null;
        }
        try {
            return (Object) known(CURRENT_BINDINGS).invokeExact();
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    /// Gives the calling thread other bindings.
    ///
    /// @return those that it had, to be given back in the same method
    static @Nullable Object exchangeScopedValues(@Nullable Object bindings) {
        Object before = scopedValues();
        if (before != bindings) {
            Object after = bindings == null ? THREAD_HAS_NO_BINDINGS : bindings;
            known(BINDINGS).set(Thread.currentThread(), after);
            forgetScopedValues();
        }
        return before;
    }

    // For `child`, not started yet.
    private static void inheritBindings(Thread child) {
        VarHandle field = known(BINDINGS);
        if (field.get(Thread.currentThread()) == (Object) THREAD_HAS_NO_BINDINGS) {
            return;
        }
        try {
            field.set(child, (Object) known(CURRENT_BINDINGS).invokeExact());
        } catch (Throwable thrown) {
            throw unexpected(thrown);
        }
    }

    static @Nullable String versionProblem(Runtime.Version version, boolean allowOld) {
        boolean fixed = version.interim() > 0 || version.update() >= 3;
        if (version.feature() != 25 || fixed || allowOld) {
            return null;
        }
        return "JDK "
                + version
                + " can lose the wake-up of a virtual thread (JDK-8369227): use 25.0.3 or newer, or"
                + " set -D"
                + OLD_JDK_PROPERTY
                + "=true to run at your own risk";
    }

    static String missingFlag(Module module) {
        String to = module.isNamed() ? module.getName() : "ALL-UNNAMED";
        return "coroutines need access to java.lang: add to the java command line: "
                + OPENS
                + to
                + " --enable-native-access="
                + to;
    }

    private static String unknownJdk(ReflectiveOperationException unknown) {
        return "JDK "
                + Runtime.version()
                + " has no scheduler for virtual threads where Heddle looks for it ("
                + unknown.getMessage()
                + "): use JDK 25";
    }

    private static <H> H known(@Nullable H handle) {
        if (handle == null) {
            throw new IllegalStateException(PROBLEM);
        }
        return handle;
    }

    private static RuntimeException unexpected(Throwable thrown) {
        return switch (thrown) {
            case RuntimeException unchecked -> unchecked;
            case Error error -> throw error;
            default -> throw new AssertionError("it declares no checked exception", thrown);
        };
    }
}
