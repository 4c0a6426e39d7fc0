package dev.heddle.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.Heddle;
import dev.heddle.sys.Memory;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.channels.FileChannel;
import java.nio.channels.Pipe;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/// What a test leaves in the process: descriptors and native memory, and who is blamed for them.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProcessLeakTest {
    private static final List<Channel> KEPT = new ArrayList<>();
    private static Path file = Path.of("unset");

    @AfterEach
    void tidy() throws IOException {
        for (var each : KEPT) {
            each.close();
        }
        KEPT.clear();
    }

    @Test
    void anOpenFileIsFoundAndNamed(@TempDir Path folder) throws IOException {
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")));
        file = Files.createFile(folder.resolve("left-open.txt"));
        assertThat(Fixture.failureOf(KeepsFile.class))
                .hasMessageContaining("the test left something behind")
                .hasMessageContaining("left-open.txt");
    }

    static class KeepsFile {
        @HeddleTest
        void keeps() throws IOException {
            KEPT.add(Heddle.offload(() -> FileChannel.open(file, StandardOpenOption.READ)));
        }
    }

    @Test
    void anOpenPipeIsFound() {
        Assumptions.assumeTrue(Files.isDirectory(Path.of("/proc/self/fd")));
        assertThat(Fixture.failureOf(KeepsPipe.class)).hasMessageContaining("pipe:");
    }

    static class KeepsPipe {
        @HeddleTest
        void keeps() throws IOException {
            var pipe = Pipe.open();
            KEPT.add(pipe.source());
            KEPT.add(pipe.sink());
        }
    }

    @Test
    void whatIsClosedAgainIsNoLeak(@TempDir Path folder) throws IOException {
        file = Files.createFile(folder.resolve("closed.txt"));
        Fixture.passes(ClosesFile.class);
    }

    static class ClosesFile {
        @HeddleTest(seeds = 5)
        void closes() throws IOException {
            try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
                assertEquals(0, channel.size());
            }
        }
    }

    @Test
    void whoeverLooksAwaySeesNothing() {
        Fixture.passes(LooksAway.class);
    }

    static class LooksAway {
        @HeddleTest(checkLeaks = false)
        void keeps() throws IOException {
            var pipe = Pipe.open();
            KEPT.add(pipe.source());
            KEPT.add(pipe.sink());
            Heddle.spawn(() -> Heddle.delay(java.time.Duration.ofDays(1)));
        }
    }

    @Test
    void nobodyIsBlamedForWhatCameFromARunBesideIt() {
        var outer = new Holdings(false);
        var inner = new Holdings(false);
        var block = Memory.allocate(8);
        try {
            assertEquals(List.of(), inner.ended(), "another one was running when it began");
            assertEquals(List.of(), outer.ended(), "another one has begun since");
        } finally {
            Memory.free(block);
        }
    }

    @Test
    void aRunThatWasAloneIsBlamed() {
        var alone = new Holdings(false);
        var block = Memory.allocate(8);
        assertEquals(List.of("8 bytes of native memory"), alone.ended());
        Memory.free(block);
    }
}
