package dev.heddle.bench.libuv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.heddle.bench.loop.LoopSuite;
import dev.heddle.bench.race.Peer;
import dev.heddle.bench.race.TimedRow;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

final class LibuvPeerTest {
    // Tests run in the module's folder.
    private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

    @TempDir private Path folder;

    @Test
    void everyWorkloadOfTheSuiteIsThereInC() throws Exception {
        try (var libuv = present()) {
            for (var row : new LoopSuite(libuv).rows()) {
                if (row instanceof TimedRow timed) {
                    for (var rival : timed.rivals()) {
                        var sample = libuv.open(rival.workload()).round(Duration.ofMillis(1));
                        assertThat(sample.value()).as(rival.workload()).isPositive();
                        assertThat(sample.cpu()).as(rival.workload()).isPositive();
                        assertThat(sample.operations()).as(rival.workload()).isPositive();
                    }
                }
            }
        }
    }

    @Test
    void aWorkloadThatIsNotThereIsAnErrorThatNamesIt() throws Exception {
        try (var libuv = present();
                var unknown = libuv.open("juggle")) {
            assertThatThrownBy(() -> unknown.round(Duration.ofMillis(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("juggle");
        }
    }

    @Test
    void withoutTheSourcesItIsMissingAndTheCureIsNamed() {
        try (var libuv = new LibuvPeer(folder)) {
            assertThat(libuv.find())
                    .isInstanceOfSatisfying(
                            Peer.Missing.class,
                            missing -> assertThat(missing.cure()).contains("libuv1-dev"));
        }
    }

    @Test
    void aProgramIsCompiledOnceForEachStateOfItsSources() throws IOException {
        Path sources = Files.createDirectory(folder.resolve("c"));
        var program = new CProgram(sources, folder.resolve("cache"), List.of());
        Files.writeString(sources.resolve("a.c"), "int main(void) { return 0; }\n");
        assumeTrue(compiles(program), "gcc is not installed");

        Path first = program.compile();
        var stamp = Files.getLastModifiedTime(first);
        assertThat(program.compile()).isEqualTo(first);
        assertThat(Files.getLastModifiedTime(first)).isEqualTo(stamp);

        Files.writeString(sources.resolve("a.c"), "int main(void) { return 1; }\n");
        assertThat(program.compile()).isNotEqualTo(first).isExecutable();
    }

    @Test
    void whatTheCompilerSaysIsInTheException() throws IOException {
        Path sources = Files.createDirectory(folder.resolve("c"));
        var program = new CProgram(sources, folder.resolve("cache"), List.of());
        Files.writeString(sources.resolve("a.c"), "int main(void) { return 0; }\n");
        assumeTrue(compiles(program), "gcc is not installed");

        Files.writeString(sources.resolve("a.c"), "#include <no_such_header.h>\n");
        assertThatThrownBy(program::compile)
                .isInstanceOf(CProgram.CompileException.class)
                .hasMessageContaining("no_such_header.h");
        try (var cache = Files.list(folder.resolve("cache"))) {
            assertThat(cache.filter(file -> file.toString().contains("compiling"))).isEmpty();
        }
    }

    private static LibuvPeer present() {
        var libuv = new LibuvPeer(PROJECT);
        var presence = libuv.find();
        if (presence instanceof Peer.Missing) {
            libuv.close();
        }
        assumeTrue(presence instanceof Peer.Present, presence::toString);
        return libuv;
    }

    private static boolean compiles(CProgram program) {
        try {
            return Files.isExecutable(program.compile());
        } catch (IOException absent) {
            return false;
        }
    }
}
