package dev.heddle.test;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.opentest4j.TestAbortedException;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/// Gives an invocation of a test method its world, and runs the method in it.
///
/// **Thread:** any (JUnit's).
abstract class WorldExtension implements ParameterResolver, InvocationInterceptor {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(WorldExtension.class);

    /// {@return how to run the test of this context}
    abstract Settings settings(ExtensionContext context);

    /// {@return the line that runs the same again}
    abstract String replay(Settings settings);

    /// {@return whether the test of this context is for this extension}
    boolean runs(ExtensionContext context) {
        return true;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        // Only within a test: one world for a whole class would carry time and chance along.
        return context.getTestMethod().isPresent()
                && runs(context)
                && parameter.getParameter().getType() == TestWorld.class
                && parameter.getDeclaringExecutable() instanceof Method;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return world(context);
    }

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context)
            throws Throwable {
        run(invocation, context);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<@Nullable Void> invocation,
            ReflectiveInvocationContext<Method> method,
            ExtensionContext context)
            throws Throwable {
        run(invocation, context);
    }

    private TestWorld world(ExtensionContext context) {
        return Objects.requireNonNull(
                context.getStore(NAMESPACE)
                        .computeIfAbsent(
                                TestWorld.class,
                                _ -> new TestWorld(settings(context)),
                                TestWorld.class));
    }

    private void run(Invocation<@Nullable Void> invocation, ExtensionContext context)
            throws Throwable {
        if (!runs(context)) {
            invocation.proceed();
            return;
        }
        var world = world(context);
        try {
            runToItsEnd(invocation, world);
        } catch (TestAbortedException assumption) {
            // An assumption does not hold for this one, which is no failure.
            throw assumption;
        } catch (Throwable thrown) {
            explain(thrown, world, context);
            throw thrown;
        }
    }

    // A program that was told to shut down has ended well. A test has not: its rest did not run.
    private static void runToItsEnd(Invocation<@Nullable Void> invocation, TestWorld world) {
        var end = new AtomicReference<@Nullable Throwable>();
        new WorldRun(world, true)
                .run(
                        _ -> {
                            try {
                                invocation.proceed();
                            } catch (Throwable thrown) {
                                end.set(thrown);
                                throw thrown;
                            }
                        });
        Throwable cut = end.get();
        if (cut != null) {
            throw new AssertionError(
                    "the test did not come to its end, the program was shut down before: "
                            + cut.getMessage()
                            + "; to test a shutdown, run a Simulation and look at what it did",
                    cut);
        }
    }

    private void explain(Throwable thrown, TestWorld world, ExtensionContext context) {
        var note = new Replay(replay(world.settings()), world);
        thrown.addSuppressed(note);
        System.err.println(
                context.getRequiredTestClass().getSimpleName()
                        + "."
                        + context.getRequiredTestMethod().getName()
                        + ", "
                        + context.getDisplayName()
                        + ", failed; "
                        + note.getMessage());
    }
}
