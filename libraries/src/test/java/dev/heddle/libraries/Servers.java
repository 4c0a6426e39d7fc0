package dev.heddle.libraries;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.opentest4j.TestAbortedException;

import java.io.Closeable;
import java.io.IOException;

/// Gives tests the servers that they ask for, as parameters. Each is started once, when the first
/// test asks, and ended after the last test of all.
///
/// A test is skipped if its server is not installed: a line says so, and what to do about it.
///
/// **Thread:** any.
final class Servers implements ParameterResolver {
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
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return startOf(parameter.getParameter().getType()) != null;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        // The root's store is closed at the end of the whole run.
        Store store = context.getRoot().getStore(Namespace.create(Servers.class));
        Entry entry = store.computeIfAbsent(type, Servers::open, Entry.class);
        if (entry.missing() != null) {
            throw new TestAbortedException(entry.missing().getMessage());
        }
        return entry.server();
    }

    private static Entry open(Class<?> type) {
        try {
            return new Entry(startOf(type).start(), null);
        } catch (MissingServerException missing) {
            System.out.println("SKIPPED: tests with " + missing.getMessage());
            return new Entry(null, missing);
        } catch (IOException failed) {
            throw new ParameterResolutionException("no " + type.getSimpleName(), failed);
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
