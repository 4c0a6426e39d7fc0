package dev.heddle.libraries;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;
import static dev.heddle.Heddle.within;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.Deferred;
import dev.heddle.Heddle;
import dev.heddle.HeddleOptions;
import dev.heddle.OperationCancelledException;
import dev.heddle.Report;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

/// Requests of `HttpClient.sendAsync` that nobody waits for any more.
@ExtendWith(Servers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class GivenUpRequestTest {
    private static final Duration SOON = Duration.ofMillis(100);
    private static final Duration LATER = Duration.ofMillis(300);

    private final HttpClient client = HttpClient.newHttpClient();
    private final ConcurrentLinkedQueue<Report> reports = new ConcurrentLinkedQueue<>();
    private final HeddleOptions options = Heddle.with().onReport(reports::add);

    @AfterEach
    void close() {
        client.shutdownNow();
    }

    @Test
    void oneThatFailsAfterItsTimeoutIsNoNews(WebServer server) {
        options.run(
                () -> {
                    var request = send(server.failureAfter(LATER));

                    assertThrows(
                            OperationCancelledException.class,
                            () -> await(Deferred.from(request), SOON));

                    assertThat(failureOf(request)).isInstanceOf(Exception.class);
                });
        assertNothingReported();
    }

    @Test
    void oneThatFailsAfterItsWaiterWasCancelledIsNoNews(WebServer server) {
        options.run(
                () -> {
                    var request = send(server.failureAfter(LATER));
                    var waiter = spawn(() -> await(Deferred.from(request)));
                    suspend();

                    waiter.cancelAndAwait("enough");

                    assertThat(failureOf(request)).isInstanceOf(Exception.class);
                });
        assertNothingReported();
    }

    @Test
    void aLimitCancelsTheRequestThatIsAwaitedInIt(WebServer server) {
        options.run(
                () -> {
                    var request = send(server.after(LibraryContract.LONG));

                    var thrown =
                            assertThrows(
                                    OperationCancelledException.class,
                                    () -> within(SOON, () -> await(request)));

                    assertThat(thrown.timedOut()).isTrue();
                    // Not always isCancelled(): the client may be first to make a failure of it.
                    assertThat(rootOf(failureOf(request)))
                            .satisfiesAnyOf(
                                    root -> assertThat(root).hasMessage("Request cancelled"),
                                    root ->
                                            assertThat(root)
                                                    .isInstanceOf(CancellationException.class));
                });
        assertNothingReported();
    }

    private CompletableFuture<HttpResponse<String>> send(URI uri) {
        return client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    // Waits until it has come.
    private static Throwable failureOf(CompletableFuture<?> future) {
        return await(future.handle((_, failure) -> failure));
    }

    private static Throwable rootOf(Throwable failure) {
        return failure.getCause() == null ? failure : rootOf(failure.getCause());
    }

    // A machine that is busy with more may keep a loop for long: that is the machine's.
    private void assertNothingReported() {
        assertThat(reports)
                .filteredOn(report -> report.kind() != Report.Kind.BLOCKED_LOOP)
                .isEmpty();
    }
}
