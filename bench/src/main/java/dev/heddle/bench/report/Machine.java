package dev.heddle.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Map;

/// Where the figures come from, as far as a reader needs it.
///
/// **Thread:** any.
public final class Machine {
    private Machine() {}

    /// @param peers versions, by name
    public static Map<String, String> describe(Map<String, String> peers) {
        var about = new LinkedHashMap<String, String>();
        about.put("cpu", cpu());
        about.put("cores", String.valueOf(Runtime.getRuntime().availableProcessors()));
        about.put("os", System.getProperty("os.name") + " " + kernel());
        about.put("jdk", Runtime.version().toString());
        about.putAll(peers);
        about.put("date", LocalDate.now(ZoneOffset.UTC).toString());
        return about;
    }

    private static String cpu() {
        String arch = System.getProperty("os.arch");
        try (var lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(arch);
        } catch (IOException notLinux) {
            return arch;
        }
    }

    // Major and minor: the rest tells who built it, not how fast it is.
    private static String kernel() {
        String[] parts = System.getProperty("os.version").split("[.-]", 3);
        return parts.length < 2 ? parts[0] : parts[0] + "." + parts[1];
    }
}
