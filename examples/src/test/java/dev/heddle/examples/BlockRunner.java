package dev.heddle.examples;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// Compiles a block, runs it on a thread of its own, and compares what it prints; or has JUnit run
/// its tests.
///
/// All in this JVM: a new one for each block would take longer than everything else in here. So
/// `System.out` and `System.err` are replaced while a block runs, and only one may run at a time.
final class BlockRunner {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Block block;

    // What the program has written so far; nothing before it runs.
    private Supplier<String> out = () -> "";
    private Supplier<String> err = () -> "";

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
        switch (block.kind()) {
            case PROGRAM, FRAGMENT -> runProgram(limit);
            case TESTS -> compare(TestRun.of(BlockCompiler.compile(block)));
            case EXAMPLE -> runExample();
        }
    }

    private void runProgram(Duration limit) throws Exception {
        var type = BlockCompiler.compile(block);
        try (var streams = new Streams()) {
            out = streams::out;
            err = streams::err;
            runMain(type, limit);
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
        String printed = out.get();
        if (!printed.equals(block.output())) {
            throw failure(
                    "prints\n%sbut the page shows\n%s"
                            .formatted(indent(printed), indent(block.output())));
        }
    }

    private void runExample() throws Exception {
        var examples = TestExamples.read();
        String text = examples.withoutImports(block.fileName());
        if (!text.equals(block.code())) {
            throw failure("is not the file without its imports, which has\n" + indent(text));
        }
        if (block.fileName().endsWith("Test.java")) {
            compare(examples.run(block.className()));
        }
    }

    private void compare(TestRun tests) {
        int expected = block.output().isEmpty() ? 0 : 1;
        if (tests.failures().size() != expected || !tests.isAsShown(block.output())) {
            throw failure(
                    "its tests say\n%sbut the page shows\n%s"
                            .formatted(indent(tests.text()), indent(block.output())));
        }
    }

    private AssertionError failure(String what) {
        String errors = err.get();
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
}
