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

    /// It failed.
    void failed() {}

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
            new WorldRun(world, true).run(_ -> invocation.proceed());
        } catch (TestAbortedException assumption) {
            // An assumption does not hold for this one, which is no failure.
            throw assumption;
        } catch (Throwable thrown) {
            failed();
            explain(thrown, world, context);
            throw thrown;
        }
    }

    private void explain(Throwable thrown, TestWorld world, ExtensionContext context) {
        var note = new Replay(replay(world.settings()), world);
        thrown.addSuppressed(note);
        System.err.println(context.getDisplayName() + " failed; " + note.getMessage());
    }
}
