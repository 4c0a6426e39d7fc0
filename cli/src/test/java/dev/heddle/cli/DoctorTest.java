package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.reactor.Backend;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Sys;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What the doctor makes of what it finds: each problem comes with the line that fixes it.
final class DoctorTest {
    @TempDir Path folder;

    @Test
    void programsCanRunWhereTheseTestsRun() {
        var out = new StringWriter();
        var err = new StringWriter();

        int exitCode = Commands.execute(new PrintWriter(out), new PrintWriter(err), "doctor");

        assertThat(exitCode).as(out.toString()).isZero();
        assertThat(out.toString())
                .contains("Java\n", "System\n", "Backends\n", "Cache\n", "Benchmarks\n")
                .endsWith("Programs can run.\n");
    }

    @Test
    void everyBackendIsAvailableOrRefusedWithTheReason() {
        Sys withoutUring = refusing(Errno.EPERM, Set.of("ioUringSetup"));

        var findings = KernelCheck.backends(Backend.probe(withoutUring), "");

        assertThat(findings)
                .extracting(Finding::name)
                .containsExactly("epoll", "io_uring", "kqueue", "poll");
        assertThat(findings.get(0).text()).startsWith("available, taken by default: ");
        var uring = findings.get(1);
        assertThat(uring.status()).isEqualTo(Finding.Status.NOTE);
        assertThat(uring.text()).startsWith("refused: ").contains("EPERM");
        assertThat(uring.fix().orElseThrow()).containsAnyOf("seccomp", "io_uring_disabled=0");
        assertThat(findings.get(2).status()).isEqualTo(Finding.Status.ABSENT);
        assertThat(findings.get(3).text()).startsWith("available: ");
    }

    @Test
    void noBackendAtAllIsAProblem() {
        Sys nothing =
                refusing(Errno.ENOSYS, Set.of("epollCreate1", "ioUringSetup", "kqueue", "poll"));

        var report = new Report(KernelCheck.backends(Backend.probe(nothing), ""));

        assertThat(report.programsCanRun()).isFalse();
        assertThat(report.text())
                .contains("problem any", "fix: ")
                .endsWith("see the problems above.\n");
    }

    @Test
    void forcedBackendIsCheckedToo() {
        var attempts = Backend.probe(refusing(Errno.ENOSYS, Set.of("ioUringSetup")));

        assertThat(KernelCheck.backends(attempts, "poll").getLast())
                .isEqualTo(Finding.ok("Backends", "forced", "poll, by -Dheddle.backend"));
        assertThat(KernelCheck.backends(attempts, "uring").getLast().status())
                .isEqualTo(Finding.Status.PROBLEM);
        assertThat(KernelCheck.backends(attempts, "fast").getLast().text())
                .contains("no backend is called \"fast\"");
    }

    @Test
    void lowLimitsComeWithTheLineThatRaisesThem() {
        assertThat(KernelCheck.descriptors(1024).fix().orElseThrow()).startsWith("ulimit -n ");
        assertThat(KernelCheck.descriptors(65_536).fix()).isEmpty();
        assertThat(KernelCheck.lockedMemory(65_536).fix().orElseThrow()).startsWith("ulimit -l ");
        assertThat(KernelCheck.lockedMemory(Long.MAX_VALUE).text()).isEqualTo("unlimited");
    }

    @Test
    void buildsBefore2503AreAProblemUnlessAllowed() {
        var old = Runtime.Version.parse("25.0.2+10");
        var allowed = Map.of("HEDDLE_ALLOW_OLD_JDK", "1");

        assertThat(JavaCheck.build(old, Map.of()).status()).isEqualTo(Finding.Status.PROBLEM);
        assertThat(JavaCheck.build(old, allowed).status()).isEqualTo(Finding.Status.NOTE);
        for (String fine : List.of("25.0.3", "25.0.3+9-LTS", "25.1", "26-ea+1")) {
            var version = Runtime.Version.parse(fine);
            assertThat(JavaCheck.build(version, Map.of()).status())
                    .as(fine)
                    .isEqualTo(Finding.Status.OK);
        }
    }

    @Test
    void missingFlagsComeWithTheFlag() {
        assertThat(JavaCheck.nativeAccess(false).fix().orElseThrow())
                .contains("--enable-native-access=ALL-UNNAMED");
        assertThat(JavaCheck.opens(false).fix().orElseThrow())
                .contains("--add-opens java.base/java.lang=ALL-UNNAMED");
    }

    @Test
    void missingBenchmarkPeersComeWithTheLineThatInstallsThem() throws IOException {
        executable("apk");

        var findings = new BenchCheck(Map.of("PATH", folder.toString())).findings();

        assertThat(findings.getFirst().fix()).contains("apk add gcc musl-dev");
        assertThat(findings.getLast().status()).isEqualTo(Finding.Status.ABSENT);
    }

    @Test
    void cacheThatCannotBeWrittenIsNoted() {
        var cache = new ClassCache(Path.of("/dev/null/heddle"));

        var finding = Doctor.cache(cache);

        assertThat(finding.status()).isEqualTo(Finding.Status.NOTE);
        assertThat(finding.fix().orElseThrow()).contains("XDG_CACHE_HOME");
    }

    @Test
    void jsonIsQuoted() {
        var finding =
                new Finding("S", "n", Finding.Status.NOTE, "a \"b\" \\ \n", Optional.of("do\tit"));

        assertThat(new Report(List.of(finding)).json())
                .isEqualTo(
                        """
                        {"programsCanRun": true, "findings": [
                          {"section": "S", "name": "n", "status": "note", "text": "a \\"b\\" \\\\ \\u000a", "fix": "do\\u0009it"}
                        ]}
                        """);
    }

    private void executable(String name) throws IOException {
        var all = PosixFilePermissions.fromString("rwxr-xr-x");
        Files.createFile(folder.resolve(name), PosixFilePermissions.asFileAttribute(all));
    }

    /// {@return a kernel that answers these calls with an error, and the others as the real one}
    private static Sys refusing(int errno, Set<String> calls) {
        return (Sys)
                Proxy.newProxyInstance(
                        Sys.class.getClassLoader(),
                        new Class<?>[] {Sys.class},
                        (_, method, args) ->
                                calls.contains(method.getName())
                                        ? -errno
                                        : method.invoke(Sys.NATIVE, args));
    }
}
