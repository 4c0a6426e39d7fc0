package dev.heddle.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/// A program in a JVM of its own, with this one's class path and the flags that coroutines need:
/// for claims about a whole process, and for figures that other tests must not disturb.
///
/// A line of its output like `name=12.5` is a figure.
///
/// **Thread:** immutable.
///
/// @param output what it printed, errors included
/// @param millis how long it lived
public record ChildJvm(int exit, String output, long millis) {
    private static final long MINUTES_MAX = 5;

    /// Runs `main` to its end.
    ///
    /// @param flags of the JVM
    public static ChildJvm run(Class<?> main, List<String> flags, String... arguments)
            throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "--add-opens=java.base/java.lang=ALL-UNNAMED"));
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        long began = System.nanoTime();
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var output = process.getInputStream();
                var _ = Bystander.doing(() -> endInTime(process))) {
            String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            int exit = process.waitFor();
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
            return new ChildJvm(exit, text, millis);
        } finally {
            process.destroyForcibly();
        }
    }

    // Reading its output would wait for ever for a child that hangs.
    private static void endInTime(Process process) {
        try {
            if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        }
    }

    /// {@return the figures that it printed}
    public Map<String, Double> figures() {
        var figures = new TreeMap<String, Double>();
        output.lines()
                .filter(line -> line.matches("\\w+=[-0-9.]+"))
                .map(line -> line.split("="))
                .forEach(parts -> figures.put(parts[0], Double.valueOf(parts[1])));
        return figures;
    }
}
