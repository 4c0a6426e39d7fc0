package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/// A shield keeps out the interrupt, too, by which a cancellation reaches a call of the JDK.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class ProtectInJdkCallTest {
    private final World world = World.virtual();
    private final CountDownLatch latch = new CountDownLatch(1);

    @Test
    void cancellationDoesNotInterruptAProtectedCall() {
        world.run(
                () -> {
                    var payment = spawn(() -> protect(this::awaitLatch));
                    suspend();
                    assertEquals(CoroutineState.IN_JDK_CALL, payment.state());
                    payment.cancel("closing time");
                    suspend();
                    world.say("cancelled");
                    latch.countDown();
                    assertInstanceOf(Outcome.Cancelled.class, payment.awaitOutcome());
                });

        assertEquals(List.of("cancelled", "undisturbed"), world.trail);
    }

    @Test
    void limitDoesNotInterruptAProtectedCall() {
        world.run(
                () -> {
                    var payment =
                            spawn(
                                    () ->
                                            within(
                                                    Duration.ofMillis(10),
                                                    () -> protect(this::awaitLatch)));
                    delay(Duration.ofMillis(20));
                    world.say("over time");
                    latch.countDown();
                    var thrown = assertThrows(OperationCancelledException.class, payment::await);
                    assertEquals(true, thrown.timedOut());
                });

        assertEquals(List.of("over time", "undisturbed"), world.trail);
    }

    @Test
    void callThatIsNotProtectedIsInterrupted() {
        world.run(
                () -> {
                    var payment = spawn(this::awaitLatch);
                    suspend();
                    assertInstanceOf(
                            Outcome.Cancelled.class, payment.cancelAndAwait("closing time"));
                });

        assertEquals(List.of(), world.trail);
    }

    private void awaitLatch() throws InterruptedException {
        latch.await();
        world.say("undisturbed");
    }
}
