package dev.heddle.examples;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;

/// Compiles a block, runs it on a thread of its own, and compares what it prints.
///
/// All in this JVM: a new one for each block would take longer than everything else in here. So
/// `System.out` and `System.err` are replaced while a block runs, and only one may run at a time.
final class BlockRunner {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Block block;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private BlockRunner(Block block) {
        this.block = block;
    }

    /// @throws AssertionError that begins with the page and the line, if anything is not as the
    ///   page says
    static void check(Block block) throws Exception {
        check(block, LIMIT);
    }

    /// @param limit after which a program that still runs is said to hang
    static void check(Block block, Duration limit) throws Exception {
        new BlockRunner(block).run(limit);
    }

    private void run(Duration limit) throws Exception {
        var type = BlockCompiler.compile(block);
        PrintStream outBefore = System.out;
        PrintStream errBefore = System.err;
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        var log = new LogCapture(err);
        try {
            runMain(type, limit);
        } finally {
            log.close();
            System.setOut(outBefore);
            System.setErr(errBefore);
        }
        compare();
    }

    private void runMain(Class<?> type, Duration limit) throws Exception {
        var ended = new CompletableFuture<Void>();
        var thread =
                Thread.ofPlatform()
                        .name("main of " + block)
                        .daemon() // one that hangs must not keep the build from saying so
                        .start(() -> callMain(type, ended));
        try {
            ended.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException hangs) {
            var stack = new StringBuilder();
            for (var frame : thread.getStackTrace()) {
                stack.append("\n    at ").append(frame);
            }
            thread.interrupt();
            throw failure("still runs after " + limit + ":" + stack);
        } catch (ExecutionException thrown) {
            throw failure("ended with " + trace(thrown.getCause()));
        }
    }

    private static void callMain(Class<?> type, CompletableFuture<Void> ended) {
        Thread.currentThread().setContextClassLoader(type.getClassLoader());
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            var main = type.getDeclaredMethod("main");
            main.setAccessible(true);
            main.invoke(constructor.newInstance());
            ended.complete(null);
        } catch (InvocationTargetException thrown) {
            ended.completeExceptionally(thrown.getTargetException());
        } catch (ReflectiveOperationException | Error cause) {
            ended.completeExceptionally(cause);
        }
    }

    private void compare() {
        String printed = out.toString(StandardCharsets.UTF_8);
        if (!printed.equals(block.output())) {
            throw failure(
                    "prints\n%sbut the page shows\n%s"
                            .formatted(indent(printed), indent(block.output())));
        }
    }

    private AssertionError failure(String what) {
        String errors = err.toString(StandardCharsets.UTF_8);
        String more = errors.isEmpty() ? "" : "\nIts error output:\n" + indent(errors);
        return new AssertionError(block.place() + ": " + what + more);
    }

    private static String indent(String text) {
        return text.isEmpty() ? "    (nothing)\n" : text.indent(4);
    }

    private static String trace(Throwable thrown) {
        var text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text, true));
        return text.toString();
    }

    /// Takes what Heddle logs meanwhile: it belongs to the block, and nobody wants it in the
    /// build's own output.
    private static final class LogCapture extends StreamHandler {
        private static final Logger LOGGER = Logger.getLogger("dev.heddle");

        LogCapture(OutputStream err) {
            super(err, new SimpleFormatter());
            // Not set back: reports are written by another thread, perhaps after the block's end.
            LOGGER.setUseParentHandlers(false);
            LOGGER.addHandler(this);
        }

        @Override
        public synchronized void publish(LogRecord report) {
            super.publish(report);
            flush();
        }

        @Override
        public synchronized void close() {
            LOGGER.removeHandler(this);
            super.close();
        }
    }
}
