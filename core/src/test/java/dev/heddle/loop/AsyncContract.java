package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// What an [Async] promises, on every backend.
///
/// **Thread:** owner (the test runner).
abstract class AsyncContract extends LoopTestCase {
    private static final int SENDERS = 4;
    private static final int SENDS = 250_000;

    AsyncContract(Backend backend) {
        super(backend);
    }

    // L45
    @Test
    void sendsBeforeTheLoopLooksAreOneCallback() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var async = loop.async(calls::incrementAndGet);
        for (int i = 0; i < 5; i++) {
            async.send();
        }

        loop.runNowait();
        loop.runNowait();

        assertEquals(1, calls.get());
        end(loop, async);
    }

    // L45
    @Test
    void aSendFromInsideTheCallbackIsOneMoreCallbackInTheNextTurn() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        var turns = new AtomicInteger();
        loop.onPrepare(turns::incrementAndGet).unref();
        var holder = new Async[1];
        holder[0] =
                loop.async(
                        () -> {
                            trail.add("turn " + turns);
                            if (trail.size() == 1) {
                                holder[0].send();
                                holder[0].send();
                            } else {
                                holder[0].close();
                            }
                        });
        holder[0].send();

        loop.run();

        assertEquals(List.of("turn 1", "turn 2"), trail);
    }

    // L46
    @Test
    void theLastSendOfManyIsNeverLost() throws IOException {
        fixture.limit(Duration.ofSeconds(30));
        var loop = fixture.open();
        var counter = new AtomicInteger();
        var seen = new AtomicInteger();
        var holder = new Async[1];
        holder[0] =
                loop.async(
                        () -> {
                            seen.set(counter.get());
                            if (seen.get() == SENDERS * SENDS) {
                                holder[0].close();
                            }
                        });
        for (int sender = 0; sender < SENDERS; sender++) {
            fixture.outside(
                    () -> {
                        for (int i = 0; i < SENDS; i++) {
                            counter.incrementAndGet();
                            try {
                                holder[0].send();
                            } catch (IllegalStateException closed) {
                                // Another's last send was seen together with this one's count.
                                assertEquals(SENDERS * SENDS, counter.get());
                            }
                        }
                    });
        }

        loop.run();

        assertEquals(SENDERS * SENDS, seen.get());
    }

    // L47
    @Test
    void aSendBeforeTheFirstRunIsDeliveredInItsFirstTurn() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var async = loop.async(calls::incrementAndGet);
        fixture.outside(async::send).awaitEnd();

        assertEquals(1, loop.runOnce());

        assertEquals(1, calls.get());
        end(loop, async);
    }

    // L48
    @Test
    void anAsyncWithoutCallbackEndsABlockedWait() throws IOException {
        var loop = fixture.open();
        var checks = new AtomicInteger();
        loop.onCheck(checks::incrementAndGet).unref();
        var async = loop.async();

        whileAsleep(async::send, () -> loop.runOnce());

        assertEquals(1, checks.get());
        end(loop, async);
    }

    @Test
    void aSendEndsABlockedWaitAndTheCallbackRunsOnTheLoop() throws IOException {
        var loop = fixture.open();
        var threads = new ArrayList<Thread>();
        var async = loop.async(() -> threads.add(Thread.currentThread()));

        whileAsleep(async::send, () -> loop.runOnce());

        assertEquals(List.of(Thread.currentThread()), threads);
        end(loop, async);
    }

    @Test
    void aSendDuringTheCallbackFromAnotherThreadIsSeenByALaterCallback() throws Exception {
        var loop = fixture.open();
        var inside = new CountDownLatch(1);
        var sent = new CountDownLatch(1);
        var calls = new AtomicInteger();
        var holder = new Async[1];
        holder[0] =
                loop.async(
                        () -> {
                            if (calls.incrementAndGet() == 1) {
                                inside.countDown();
                                await(sent);
                            } else {
                                holder[0].close();
                            }
                        });
        holder[0].send();
        fixture.outside(
                () -> {
                    inside.await();
                    holder[0].send();
                    sent.countDown();
                });

        loop.run();

        assertEquals(2, calls.get());
    }

    @Test
    void aStartedAsyncKeepsTheLoopAliveUntilItIsClosedOrUnreferenced() throws IOException {
        var loop = fixture.open();
        var async = loop.async(() -> {});
        assertTrue(async.isActive());
        assertTrue(loop.alive());

        async.unref();
        assertFalse(loop.alive());
        assertFalse(loop.run());

        async.ref();
        assertTrue(loop.alive());
        async.close();
        assertFalse(async.isActive());
        assertFalse(loop.run());
    }

    @Test
    void closingWithASendPendingCallsOnlyTheCloseCallback() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        var async = loop.async(() -> trail.add("called"));
        async.send();
        async.close(() -> trail.add("closed"));
        async.close(() -> trail.add("closed again"));
        assertEquals(List.of(), trail);

        loop.run();

        assertEquals(List.of("closed"), trail);
        assertTrue(async.isClosed());
    }

    @Test
    void anAsyncMayCloseItselfAndOthersInItsCallback() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        var asyncs = new ArrayList<Async>();
        for (int i = 0; i < 3; i++) {
            String name = "async " + i;
            asyncs.add(
                    loop.async(
                            () -> {
                                trail.add(name);
                                asyncs.forEach(Async::close);
                            }));
        }
        asyncs.forEach(Async::send);

        assertFalse(loop.run());

        assertEquals(List.of("async 0"), trail);
    }

    @Test
    void aSendAfterCloseIsRefusedEveryTime() throws IOException {
        var loop = fixture.open();
        var async = loop.async(() -> {});
        async.close();
        loop.run();

        for (int i = 0; i < 2; i++) {
            var refused = assertThrows(IllegalStateException.class, async::send);
            assertTrue(refused.getMessage().startsWith("closed: Async"), refused.getMessage());
        }
    }

    @Test
    void aSendAfterTheLoopWasClosedIsRefusedEveryTime() throws IOException {
        var loop = fixture.open();
        var async = loop.async(() -> {});
        async.unref();
        loop.close();

        for (int i = 0; i < 3; i++) {
            assertThrows(IllegalStateException.class, async::send);
        }
        fixture.outside(() -> assertThrows(IllegalStateException.class, async::send)).awaitEnd();
    }

    @Test
    void aSendAfterAShutdownThatDroppedOneIsRefused() throws IOException {
        var loop = fixture.open();
        var async = loop.async(() -> {});
        async.send();
        loop.shutdown(Duration.ZERO);

        assertThrows(IllegalStateException.class, async::send);
    }

    @Test
    void aCallbackThatThrowsIsReportedAndCalledAgainNextTime() throws IOException {
        var trail = new ArrayList<String>();
        var loop =
                fixture.open(
                        options -> options.onError((error, _) -> trail.add(error.getMessage())));
        var async =
                loop.async(
                        () -> {
                            trail.add("called");
                            throw new IllegalStateException("broken");
                        });

        async.send();
        loop.runNowait();
        async.send();
        loop.runNowait();

        assertEquals(List.of("called", "broken", "called", "broken"), trail);
        end(loop, async);
    }

    @Test
    void nullAndTheWrongThreadAreRefused() throws IOException {
        var loop = fixture.open();
        assertThrows(NullPointerException.class, () -> loop.async(null));
        fixture.outside(
                        () -> {
                            var wrong =
                                    assertThrows(
                                            WrongThreadException.class, () -> loop.async(() -> {}));
                            assertTrue(wrong.getMessage().contains("loop.post"));
                        })
                .awaitEnd();

        assertFalse(loop.alive());
    }
}
