package dev.heddle.bench.race;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The command that starts another JVM like this one: same JDK, same class path, same choices of
/// heap and collector, and the flags that Heddle needs.
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
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(ChildJvm::isChoice)
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(arguments));
        return command;
    }

    // Not what prints or records: the child's output is read, and two would write to one file.
    private static boolean isChoice(String argument) {
        return argument.startsWith("-Xm")
                || argument.startsWith("-Xint")
                || argument.matches("-XX:[+-](?!Print|Log).+")
                || argument.matches("-XX:[A-Za-z0-9]+=\\d+[kmgKMG]?");
    }
}
