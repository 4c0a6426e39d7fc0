package dev.heddle.libraries;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.mapEach;
import static dev.heddle.Heddle.offload;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.within;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.Cancellation;
import dev.heddle.Heddle;
import dev.heddle.HeddleOptions;
import dev.heddle.OperationCancelledException;
import dev.heddle.Outcome;
import dev.heddle.Report;
import dev.heddle.Scope;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/// What holds for every library that waits in calls of the JDK. Each library's test is a subclass
/// that opens it.
@ExtendWith(Servers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
abstract class LibraryContract {
    /// Longer than any test may take: only a cancellation ends it.
    static final Duration LONG = Duration.ofMinutes(2);

    // Long enough to tell a wait from anything else, even on a machine that is busy with more.
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final Duration LATENESS_MAX = Duration.ofMillis(250);
    private static final Duration SHORT = Duration.ofMillis(300);

    // After this a call is in the middle of its wait.
    private static final Duration UNDER_WAY = Duration.ofMillis(100);

    final Library library;
    final Queue<Report> reports = new ConcurrentLinkedQueue<>();
    final HeddleOptions options = Heddle.with().onReport(reports::add);

    /// @param library which a test uses, and which is closed after it
    LibraryContract(Library library) {
        this.library = library;
    }

    /// {@return how many coroutines use it at once}
    List<Integer> crowds() {
        return List.of(1, 100, 1000);
    }

    /// {@return what it throws if its thread is interrupted; empty if it is not the one that waits}
    abstract Optional<Class<? extends Throwable>> thrownWhenInterrupted();

    /// {@return whether its wait is seen to be one for the world: in a socket, or for a time. A
    /// future without a limit may as well be a deadlock}
    boolean waitsForTheWorld() {
        return true;
    }

    // A loop has to load the classes too, which takes it up to half a second: that is not what is
    // measured here.
    @BeforeEach
    void loadClasses() throws Exception {
        options.run(() -> library.echo(0));
    }

    @AfterEach
    void close() throws SQLException {
        library.close();
    }

    // ---- waiting ----

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

    @Test
    void aWaitForTheWorldIsNotTakenForADeadlock() throws Exception {
        options.jdkDeadlockAfter(SHORT.dividedBy(3)).run(() -> library.block(SHORT));

        assertThat(reports)
                .extracting(Report::kind)
                .filteredOn(kind -> kind != Report.Kind.BLOCKED_LOOP)
                .isEqualTo(waitsForTheWorld() ? List.of() : List.of(Report.Kind.DEADLOCK));
    }

    // ---- being cancelled ----

    @Test
    void aLimitEndsACallAsATimeoutAndLeavesNoInterruptBehind() throws Exception {
        options.run(
                () -> {
                    var thrown =
                            assertThrows(
                                    OperationCancelledException.class,
                                    () -> within(UNDER_WAY, () -> library.block(LONG)));

                    assertThat(thrown.timedOut()).isTrue();
                    assertThat(library.echo(1)).isEqualTo("1");
                });
        assertNothingReported();
    }

    @Test
    void aCancelledCallMakesItsCoroutineCancelledWithWhatTheLibraryThrewSuppressed() {
        options.run(
                () -> {
                    var call = spawn(() -> library.block(LONG));
                    delay(UNDER_WAY);

                    var outcome = call.cancelAndAwait("enough");

                    Outcome.Cancelled<?> cancelled =
                            assertInstanceOf(Outcome.Cancelled.class, outcome);
                    assertThat(cancelled.cancellation()).hasMessage("enough");
                    thrownWhenInterrupted()
                            .ifPresent(type -> assertSuppressed(type, cancelled.cancellation()));
                });
        assertNothingReported();
    }

    private static void assertSuppressed(Class<? extends Throwable> type, Cancellation by) {
        assertThat(by.getSuppressed()).hasAtLeastOneElementOfType(type);
    }

    @Test
    void aCancelledCallThatNobodyAwaitsEndsNothingElse() throws Exception {
        String answer =
                options.run(
                        () -> {
                            var call = spawn(() -> library.block(LONG));
                            delay(UNDER_WAY);
                            call.cancel("enough");
                            delay(UNDER_WAY);
                            return library.echo(2);
                        });

        assertThat(answer).isEqualTo("2");
        assertNothingReported();
    }

    @Test
    void cleanUpAfterACancelledCallMayWait() {
        var trail = new ArrayList<String>();
        options.run(
                () -> {
                    var call = spawn(() -> blockAndCleanUp(trail));
                    delay(UNDER_WAY);

                    assertInstanceOf(Outcome.Cancelled.class, call.cancelAndAwait("enough"));
                });
        assertThat(trail).containsExactly("waited", "from a worker", "3");
        assertNothingReported();
    }

    private void blockAndCleanUp(List<String> trail) throws Exception {
        try {
            library.block(LONG);
        } finally {
            delay(Duration.ofMillis(10));
            trail.add("waited");
            trail.add(offload(() -> "from a worker"));
            trail.add(library.echo(3));
        }
    }

    @Test
    void aSiblingsFailureEndsTheCallAndIsAllThatTheScopeThrows() {
        var failure = new IllegalStateException("broken");
        options.run(
                () -> {
                    var thrown =
                            assertThrows(
                                    IllegalStateException.class,
                                    () -> Scope.run(in -> callBeside(in, failure)));

                    assertThat(thrown).isSameAs(failure).hasNoSuppressedExceptions();
                });
        assertNothingReported();
    }

    private void callBeside(Scope scope, RuntimeException failure) {
        scope.spawn(() -> library.block(LONG));
        delay(UNDER_WAY);
        scope.spawn(
                () -> {
                    throw failure;
                });
    }

    // A machine that is busy with more may keep a loop for long: that is the machine's.
    void assertNothingReported() {
        assertThat(reports)
                .filteredOn(report -> report.kind() != Report.Kind.BLOCKED_LOOP)
                .isEmpty();
    }
}
