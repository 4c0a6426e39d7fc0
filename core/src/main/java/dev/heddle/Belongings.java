package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.Callable;

/// The body of offloaded work, with what its coroutine has around it: scoped values, context keys
/// and the context class loader. The worker has them while the body runs, and its own again
/// afterwards.
///
/// All is taken when the work is handed over, so that the worker touches nothing of the loop.
///
/// **Thread:** made on the loop; [#call] belongs to the worker.
final class Belongings<T> implements Callable<T> {
    private final Callable<? extends T> body;
    private final Context.Seen context;
    private final @Nullable Object scopedValues;
    private final @Nullable ClassLoader classLoader;

    Belongings(Coroutine<?> owner, Callable<? extends T> body) {
        this.body = body;
        context = Context.seenBy(owner);
        scopedValues = Carrier.scopedValues();
        classLoader = Thread.currentThread().getContextClassLoader();
    }

    @Override
    public T call() throws Exception {
        Thread worker = Thread.currentThread();
        ClassLoader loaderBefore = worker.getContextClassLoader();
        Context.Seen contextBefore = Context.see(context);
        Object valuesBefore = Carrier.exchangeScopedValues(scopedValues);
        if (loaderBefore != classLoader) {
            worker.setContextClassLoader(classLoader);
        }
        try {
            return body.call();
        } finally {
            Carrier.exchangeScopedValues(valuesBefore);
            Context.see(contextBefore);
            if (worker.getContextClassLoader() != loaderBefore) {
                worker.setContextClassLoader(loaderBefore);
            }
        }
    }
}
