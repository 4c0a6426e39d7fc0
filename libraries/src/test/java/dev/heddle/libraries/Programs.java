package dev.heddle.libraries;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Which programs are installed, and who we are.
///
/// **Thread:** immutable.
final class Programs {
    private Programs() {}

    static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /// {@return the folder that has this program: one of the `PATH`, `home`, or the newest
    /// `home/VERSION/bin`; null if none has}
    static Path folderOf(String program, Path home) throws IOException {
        var candidates = new ArrayList<Path>();
        for (String each : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)) {
            candidates.add(Path.of(each));
        }
        candidates.add(home);
        candidates.addAll(versions(home));
        for (Path each : candidates) {
            if (Files.isExecutable(each.resolve(program))) {
                // Where it really is: what belongs to it stands beside it.
                return each.resolve(program).toRealPath().getParent();
            }
        }
        return null;
    }

    private static List<Path> versions(Path home) throws IOException {
        if (!Files.isDirectory(home)) {
            return List.of();
        }
        try (var folders = Files.list(home)) {
            return folders.filter(each -> each.getFileName().toString().matches("\\d+"))
                    .sorted((a, b) -> Integer.compare(number(b), number(a)))
                    .map(each -> each.resolve("bin"))
                    .toList();
        }
    }

    private static int number(Path folder) {
        return Integer.parseInt(folder.getFileName().toString());
    }
}
