package dev.heddle.museum;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;

/// The other JVM: runs tests until one fails, and writes a line for each into a file.
///
/// **Thread:** owner (main); JUnit calls the listener one at a time.
final class TestRun {
    static final String PASSED = "passed";
    static final String FAILED = "failed";
    static final String ABORTED = "aborted";
    static final String END = "end";

    private TestRun() {}

    /// @param args the file, then the tests: classes, or class#method
    public static void main(String[] args) throws IOException {
        try (var out = new PrintStream(Files.newOutputStream(Path.of(args[0])), true)) {
            var selectors =
                    Arrays.stream(args).skip(1).map(TestRun::selector).collect(Collectors.toList());
            var enough = CancellationToken.create();
            var discovery = LauncherDiscoveryRequestBuilder.request().selectors(selectors).build();
            LauncherFactory.create()
                    .execute(
                            LauncherExecutionRequestBuilder.request(discovery)
                                    .listeners(new Writer(out, enough))
                                    .cancellationToken(enough)
                                    .build());
            out.println(END);
        }
        // What a bug has left running must not keep the process.
        System.exit(0);
    }

    private static DiscoverySelector selector(String test) {
        return test.contains("#") ? selectMethod(test) : selectClass(test);
    }

    private record Writer(PrintStream out, CancellationToken enough)
            implements TestExecutionListener {
        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            switch (result.getStatus()) {
                case SUCCESSFUL -> {
                    if (test.isTest()) {
                        out.println(PASSED + "\t" + name(test) + "\t");
                    }
                }
                // An assumption that does not hold on this machine: neither this nor that.
                case ABORTED -> out.println(ABORTED + "\t" + name(test) + "\t");
                case FAILED -> {
                    out.println(
                            FAILED
                                    + "\t"
                                    + name(test)
                                    + "\t"
                                    + result.getThrowable().map(Writer::inWords).orElse(""));
                    enough.cancel();
                }
            }
        }

        private static String name(TestIdentifier test) {
            return test.getSource()
                    .filter(MethodSource.class::isInstance)
                    .map(MethodSource.class::cast)
                    .map(method -> simple(method.getClassName()) + "#" + method.getMethodName())
                    .orElse(test.getDisplayName());
        }

        private static String simple(String className) {
            return className.substring(className.lastIndexOf('.') + 1);
        }

        // One line. Linkage errors are named first: they are no catch.
        private static String inWords(Throwable thrown) {
            String kind = thrown instanceof LinkageError ? "LinkageError " : "";
            return (kind + thrown).replaceAll("\\s+", " ");
        }
    }
}
