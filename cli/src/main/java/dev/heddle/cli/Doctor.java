package dev.heddle.cli;

import dev.heddle.sys.Sys;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/// Says what this machine offers, and what to do about what is missing.
///
/// **Thread:** owner.
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Say what this machine offers, and what to do about what is missing.",
        description = {
            "",
            "Looks at the JDK and its flags, the kernel and its limits, every backend of the event"
                    + " loop, and what the benchmarks need. The exit code is 0 if programs can run,"
                    + " else 1.",
            ""
        },
        footer = {"", "Examples:", "  heddle doctor", "  heddle doctor --json"})
final class Doctor implements Callable<Integer> {
    @CommandLine.Spec private CommandSpec spec;

    @Option(names = "--json", description = "for programs to read")
    private boolean json;

    private Doctor() {}

    @Override
    public Integer call() {
        List<Finding> findings = examine();
        PrintWriter out = spec.commandLine().getOut();
        var report = new Report(findings);
        out.print(json ? report.json() : report.text());
        out.flush();
        return report.programsCanRun() ? 0 : UserError.FAILED;
    }

    private static List<Finding> examine() {
        var findings = new ArrayList<Finding>(JavaCheck.findings());
        findings.addAll(KernelCheck.findings(Sys.NATIVE));
        findings.add(cache(ClassCache.open()));
        findings.addAll(new BenchCheck(System.getenv()).findings());
        return findings;
    }

    /// Only looks: the first run makes the folder.
    static Finding cache(ClassCache cache) {
        String section = "Cache";
        String name = "programs";
        Path folder = cache.folder();
        Path existing = folder;
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        return existing != null && Files.isDirectory(existing) && Files.isWritable(existing)
                ? Finding.ok(section, name, folder.toString())
                : Finding.note(
                        section,
                        name,
                        folder + " cannot be written: every run compiles",
                        "export XDG_CACHE_HOME=FOLDER, with one that can");
    }
}
