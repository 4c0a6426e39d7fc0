package dev.heddle.libraries;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.util.stream.Stream;

/// Gives tests the servers that they ask for, as parameters. Each is started once, when the first
/// test asks, and ended after the last test of all.
///
/// A test is skipped if its server is not installed: a line says so, and what to do about it.
///
/// **Thread:** any.
final class Servers implements ExecutionCondition, ParameterResolver {
    /// A server, or why there is none.
    private record Entry(Closeable server, MissingServerException missing) implements Closeable {
        @Override
        public void close() throws IOException {
            if (server != null) {
                server.close();
            }
        }
    }

    @FunctionalInterface
    private interface Start {
        Closeable start() throws IOException, MissingServerException;
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return asking(context)
                .flatMap(each -> Stream.of(each.getParameterTypes()))
                .filter(type -> startOf(type) != null)
                .map(type -> entry(type, context).missing())
                .filter(missing -> missing != null)
                .findFirst()
                .map(missing -> ConditionEvaluationResult.disabled(missing.getMessage()))
                .orElse(ConditionEvaluationResult.enabled("what it needs is there"));
    }

    // Of a class its constructor, of a test its method.
    private static Stream<? extends Executable> asking(ExtensionContext context) {
        if (context.getTestMethod().isPresent()) {
            return context.getTestMethod().stream();
        }
        Stream<Constructor<?>> none = Stream.of();
        return context.getTestClass()
                .map(type -> Stream.of(type.getDeclaredConstructors()))
                .orElse(none);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return startOf(parameter.getParameter().getType()) != null;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return entry(parameter.getParameter().getType(), context).server();
    }

    private static Entry entry(Class<?> type, ExtensionContext context) {
        // The root's store is closed at the end of the whole run.
        Store store = context.getRoot().getStore(Namespace.create(Servers.class));
        return store.computeIfAbsent(type, Servers::open, Entry.class);
    }

    private static Entry open(Class<?> type) {
        try {
            return new Entry(startOf(type).start(), null);
        } catch (MissingServerException missing) {
            System.out.println("SKIPPED: tests that need a server: " + missing.getMessage());
            return new Entry(null, missing);
        } catch (IOException failed) {
            throw new UncheckedIOException("no " + type.getSimpleName(), failed);
        }
    }

    private static Start startOf(Class<?> type) {
        if (type == PostgresServer.class) {
            return PostgresServer::start;
        }
        if (type == RedisServer.class) {
            return RedisServer::start;
        }
        return type == WebServer.class ? WebServer::start : null;
    }
}
