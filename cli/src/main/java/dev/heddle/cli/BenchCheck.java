package dev.heddle.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// What the benchmarks' peer in C needs: a compiler, and libuv. Found by trying: a program that
/// uses libuv is compiled and linked.
///
/// **Thread:** owner.
final class BenchCheck {
    private static final String SECTION = "Benchmarks";
    private static final Pattern VERSION = Pattern.compile("libuv_version (\\d+) (\\d+) (\\d+)");

    // The first of these that is installed says how packages are called here.
    private static final List<Packages> PACKAGES =
            List.of(
                    new Packages(
                            "apt-get",
                            "apt-get install gcc libc6-dev",
                            "apt-get install libuv1-dev"),
                    new Packages("dnf", "dnf install gcc", "dnf install libuv-devel"),
                    new Packages("pacman", "pacman -S gcc", "pacman -S libuv"),
                    new Packages("apk", "apk add gcc musl-dev", "apk add libuv-dev"),
                    new Packages("brew", "xcode-select --install", "brew install libuv"),
                    new Packages("pkg", "pkg install gcc", "pkg install libuv"));

    private record Packages(String tool, String gcc, String libuv) {}

    private final Map<String, String> environment;

    BenchCheck(Map<String, String> environment) {
        this.environment = environment;
    }

    List<Finding> findings() {
        Packages packages =
                PACKAGES.stream()
                        .filter(each -> isInstalled(each.tool()))
                        .findFirst()
                        .orElse(PACKAGES.getFirst());
        var findings = new ArrayList<Finding>();
        if (!isInstalled("gcc")) {
            String text = "missing: no comparison with libuv";
            findings.add(Finding.note(SECTION, "gcc", text, packages.gcc()));
            findings.add(Finding.absent(SECTION, "libuv", "not looked for without gcc"));
            return findings;
        }
        String version = call("", "gcc", "-dumpfullversion").map(String::strip).orElse("present");
        findings.add(Finding.ok(SECTION, "gcc", version));
        findings.add(
                libuv().map(found -> Finding.ok(SECTION, "libuv", found))
                        .orElseGet(
                                () ->
                                        Finding.note(
                                                SECTION,
                                                "libuv",
                                                "missing: no comparison with it",
                                                packages.libuv())));
        return findings;
    }

    private static Optional<String> libuv() {
        String header = "#include <uv.h>\n";
        String asked = "libuv_version UV_VERSION_MAJOR UV_VERSION_MINOR UV_VERSION_PATCH\n";
        String program = "int main(void) { return uv_loop_init(uv_default_loop()); }\n";
        return call(header + asked, "gcc", "-E", "-P", "-x", "c", "-")
                .map(VERSION::matcher)
                .filter(matcher -> matcher.find())
                .map(found -> found.group(1) + "." + found.group(2) + "." + found.group(3))
                .filter(_ -> call(header + program, linkCommand()).isPresent());
    }

    private static String[] linkCommand() {
        return new String[] {"gcc", "-x", "c", "-", "-o", "/dev/null", "-luv"};
    }

    private boolean isInstalled(String tool) {
        for (String folder : environment.getOrDefault("PATH", "").split(":", -1)) {
            if (!folder.isEmpty() && Files.isExecutable(Path.of(folder, tool))) {
                return true;
            }
        }
        return false;
    }

    /// {@return what the command prints, or nothing if it fails}
    private static Optional<String> call(String input, String... command) {
        try {
            var process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            try (var in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            }
            String output;
            try (var out = process.getInputStream()) {
                output = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            }
            return process.waitFor() == 0 ? Optional.of(output) : Optional.empty();
        } catch (IOException cannotStart) {
            return Optional.empty();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted: " + command[0]));
        }
    }
}
