package dev.heddle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// What the engine needs of the JDK, and what it says if that is missing.
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
final class CarrierTest {
    private static final String OPEN = "--add-opens=java.base/java.lang=ALL-UNNAMED";

    @ParameterizedTest
    @ValueSource(strings = {"25", "25.0.1", "25.0.2", "25.0.2.1+7"})
    void aJdkThatCanLoseAWakeUpIsRefused(String version) {
        String problem = Carrier.versionProblem(Runtime.Version.parse(version), false);

        assertTrue(
                problem != null
                        && problem.contains("JDK " + version)
                        && problem.contains("25.0.3")
                        && problem.contains("-Dheddle.allowOldJdk=true"),
                problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"25.0.3", "25.0.10", "25.1", "26", "26.0.1", "24.0.2"})
    void otherJdksAreNot(String version) {
        assertNull(Carrier.versionProblem(Runtime.Version.parse(version), false));
    }

    @Test
    void whoInsistsMayRunOnAnOldOne() {
        assertNull(Carrier.versionProblem(Runtime.Version.parse("25.0.1"), true));
    }

    @Test
    void theMissingFlagIsSpeltOutForTheClassPath() {
        assertEquals(
                "coroutines need access to java.lang: add to the java command line:"
                        + " --add-opens java.base/java.lang=ALL-UNNAMED"
                        + " --enable-native-access=ALL-UNNAMED",
                Carrier.missingFlag(CarrierTest.class.getClassLoader().getUnnamedModule()));
    }

    @Test
    void theMissingFlagIsSpeltOutForTheModulePath() {
        // Any named module will do: the text takes the name from it.
        assertEquals(
                "coroutines need access to java.lang: add to the java command line:"
                        + " --add-opens java.base/java.lang=java.logging"
                        + " --enable-native-access=java.logging",
                Carrier.missingFlag(ModuleLayer.boot().findModule("java.logging").orElseThrow()));
    }

    @Test
    void withoutTheFlagRunFailsWithTheLineToAdd() throws Exception {
        var child = Child.of(Program.class).flags(List.of("--enable-native-access=ALL-UNNAMED"));

        var ended = child.run("once");

        assertEquals(1, ended.status(), ended.output());
        assertTrue(
                ended.output().contains("IllegalStateException: coroutines need access")
                        && ended.output().contains("--add-opens java.base/java.lang=ALL-UNNAMED"),
                ended.output());
        assertFalse(ended.output().contains("ExceptionInInitializerError"), ended.output());
        assertFalse(ended.output().contains("NoClassDefFoundError"), ended.output());
    }

    @Test
    void withTheLineFromTheMessageItRuns() throws Exception {
        var child =
                Child.of(Program.class).flags(List.of("--enable-native-access=ALL-UNNAMED", OPEN));

        var ended = child.run("once");

        assertEquals(new Child.End(0, "ran\n"), ended);
    }

    @Test
    void socketsOfTheJdkWorkAfterTheFirstLoopHasEnded() throws Exception {
        // In a JVM of its own: the JDK makes what serves them when they are first used, which must
        // not become part of the loop that happens to be there.
        var child =
                Child.of(Program.class).flags(List.of("--enable-native-access=ALL-UNNAMED", OPEN));

        var ended = child.run("sockets");

        assertEquals(new Child.End(0, "echo 1\necho 2\necho outside\n"), ended);
    }

    @Test
    void aSchedulerThatIsOutOfMemoryForAMomentDoesNotLoseItsThread() throws InterruptedException {
        // Waking by another thread may have to allocate: the JDK tries again until it can.
        var refusals = new AtomicInteger(2);
        var armed = new AtomicBoolean();
        try (var platform = Executors.newSingleThreadExecutor()) {
            Executor scheduler =
                    task -> {
                        if (armed.get() && refusals.getAndDecrement() > 0) {
                            throw new OutOfMemoryError("on purpose");
                        }
                        platform.execute(task);
                    };
            var thread = Carrier.newThread(scheduler, "sleeper", LockSupport::park, null);
            thread.start();
            while (thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            armed.set(true);
            LockSupport.unpark(thread);
            thread.join();
        }
        assertTrue(refusals.get() < 0);
    }

    /// What the child runs.
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws Exception {
            if (args[0].equals("once")) {
                System.out.println(Heddle.<String, RuntimeException>run(() -> "ran"));
                return;
            }
            Heddle.run(() -> System.out.println(echo("echo 1")));
            Heddle.run(() -> System.out.println(echo("echo 2")));
            Thread.startVirtualThread(() -> System.out.println(echo("echo outside"))).join();
            // Had a loop carried what serves them, it would be there now.
            Thread.getAllStackTraces().keySet().stream()
                    .map(Thread::getName)
                    .filter(name -> name.startsWith("heddle-late"))
                    .forEach(System.out::println);
        }

        private static String echo(String word) {
            try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                var thread = Thread.startVirtualThread(() -> serve(server));
                try (var socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
                    socket.getOutputStream().write(word.getBytes(StandardCharsets.UTF_8));
                    socket.shutdownOutput();
                    String back = text(socket.getInputStream());
                    thread.join();
                    return back;
                }
            } catch (IOException | InterruptedException failed) {
                return failed.toString();
            }
        }

        private static void serve(ServerSocket server) {
            try (var socket = server.accept()) {
                socket.getInputStream().transferTo(socket.getOutputStream());
            } catch (IOException failed) {
                System.out.println(failed);
            }
        }

        private static String text(InputStream stream) throws IOException {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /// A JVM of its own, with the library and the tests on its class path and nothing else.
    private record Child(Class<?> main, List<String> flags) {
        record End(int status, String output) {}

        static Child of(Class<?> main) {
            return new Child(main, List.of());
        }

        Child flags(List<String> these) {
            return new Child(main, these);
        }

        End run(String... arguments) throws IOException, InterruptedException {
            var command = new ArrayList<String>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"));
            command.addAll(flags);
            String classPath = where(Heddle.class) + File.pathSeparator + where(main);
            command.addAll(List.of("-cp", classPath, main.getName()));
            command.addAll(List.of(arguments));
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try (var output = process.getInputStream()) {
                String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
                return new End(process.waitFor(), text);
            } finally {
                process.destroyForcibly();
            }
        }

        private static Path where(Class<?> known) {
            return Path.of(
                    URI.create(
                            known.getProtectionDomain().getCodeSource().getLocation().toString()));
        }
    }
}
