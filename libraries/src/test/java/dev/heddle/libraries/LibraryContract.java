package dev.heddle.libraries;

import static dev.heddle.Heddle.mapEach;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Heddle;
import dev.heddle.HeddleOptions;
import dev.heddle.Report;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/// What holds for every library that waits in calls of the JDK. Each library's test is a subclass
/// that opens it.
@ExtendWith(Servers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
abstract class LibraryContract {
    /// Long enough to tell a wait from anything else, even on a machine that is busy with more.
    private static final Duration WAIT = Duration.ofSeconds(1);

    private static final Duration LATENESS_MAX = Duration.ofMillis(250);
    private static final Duration SHORT = Duration.ofMillis(300);

    final Library library;
    final Queue<Report> reports = new ConcurrentLinkedQueue<>();
    final HeddleOptions options = Heddle.with().onReport(reports::add);

    LibraryContract(Library library) {
        this.library = library;
    }

    /// How many coroutines use it at once.
    List<Integer> crowds() {
        return List.of(1, 100, 1000);
    }

    // A loop has to load the classes too, which takes it up to half a second: that is not what is
    // measured here.
    @BeforeEach
    void loadClasses() throws Exception {
        options.run(() -> library.echo(0));
    }

    @AfterEach
    void close() throws Exception {
        library.close();
    }

    @Test
    void theLoopIsFreeWhileTheLibraryWaits() throws Exception {
        options.run(() -> library.block(SHORT));
        long start = System.nanoTime();

        Duration lateness = Lateness.during(options, () -> library.block(WAIT));

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(WAIT);
        assertThat(lateness).isLessThan(LATENESS_MAX);
    }

    @Test
    void everyoneInACrowdGetsTheRightAnswer() throws Exception {
        for (int crowd : crowds()) {
            var numbers = IntStream.range(0, crowd).boxed().toList();

            List<String> answers = options.run(() -> mapEach(numbers, crowd, library::echo));

            assertThat(answers).isEqualTo(numbers.stream().map(String::valueOf).toList());
        }
    }
}
