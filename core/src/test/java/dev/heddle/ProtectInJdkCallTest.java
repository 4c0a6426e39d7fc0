package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// A shield keeps out the interrupt, too, by which a cancellation reaches a call of the JDK.
final class ProtectInJdkCallTest {
    private final List<String> trail = new ArrayList<>();
    private final CountDownLatch latch = new CountDownLatch(1);

    @HeddleTest(seeds = 20)
    void cancellationDoesNotInterruptAProtectedCall(TestWorld world) {
        var payment = spawn(() -> protect(this::awaitLatch));
        world.settle();
        assertEquals(CoroutineState.IN_JDK_CALL, payment.state());
        payment.cancel("closing time");
        world.settle();
        trail.add("cancelled");
        latch.countDown();
        assertInstanceOf(Outcome.Cancelled.class, payment.awaitOutcome());

        assertEquals(List.of("cancelled", "undisturbed"), trail);
    }

    @HeddleTest(seeds = 20)
    void limitDoesNotInterruptAProtectedCall() {
        var payment = spawn(() -> within(Duration.ofMillis(10), () -> protect(this::awaitLatch)));
        delay(Duration.ofMillis(20));
        trail.add("over time");
        latch.countDown();
        var thrown = assertThrows(OperationCancelledException.class, payment::await);
        assertEquals(true, thrown.timedOut());

        assertEquals(List.of("over time", "undisturbed"), trail);
    }

    @HeddleTest(seeds = 20)
    void callThatIsNotProtectedIsInterrupted() {
        var payment = spawn(this::awaitLatch);
        suspend();
        assertInstanceOf(Outcome.Cancelled.class, payment.cancelAndAwait("closing time"));

        assertEquals(List.of(), trail);
    }

    private void awaitLatch() throws InterruptedException {
        latch.await();
        trail.add("undisturbed");
    }
}
