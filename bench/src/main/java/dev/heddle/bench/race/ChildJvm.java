package dev.heddle.bench.race;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The command that starts another JVM like this one: same JDK, same class path, and the flags that
/// Heddle needs.
///
/// **Thread:** any.
public final class ChildJvm {
    private ChildJvm() {}

    /// @param arguments JVM options, the main class, and what is for it
    public static List<String> command(String... arguments) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("--add-opens=java.base/java.lang=ALL-UNNAMED");
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(arguments));
        return command;
    }
}
