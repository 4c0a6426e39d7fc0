package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.awaitAll;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;

/// A failure says who awaited it, and a wait that is over says whose it was.
final class AwaitTraceTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static Coroutine<String> failing(RuntimeException error) {
        return spawn(
                () -> {
                    delay(SECOND);
                    throw error;
                });
    }

    private static List<String> marks(Throwable error) {
        return Arrays.stream(error.getStackTrace())
                .filter(each -> "awaited by".equals(each.getClassLoaderName()))
                .map(StackTraceElement::getMethodName)
                .toList();
    }

    private static void pay(Coroutine<String> order) {
        await(order);
    }

    private static void payAll(List<Coroutine<String>> orders) {
        awaitAll(orders);
    }

    @HeddleTest(seeds = 20)
    void lineThatAwaitedStandsAtTheEndOfTheTrace() {
        var error = new IllegalStateException("bad");
        var before = error.getStackTrace();
        var order = failing(error);

        assertSame(error, assertThrows(IllegalStateException.class, () -> pay(order)));
        assertEquals(List.of("pay"), marks(error));
        var after = error.getStackTrace();
        assertArrayEquals(before, Arrays.copyOf(after, before.length));
        String line = after[after.length - 1].toString();
        assertTrue(line.startsWith("awaited by//dev.heddle.AwaitTraceTest.pay(Await"), line);
    }

    @HeddleTest
    void sameLineIsNeverThereTwiceAndOthersAreAdded() {
        var error = new IllegalStateException("bad");
        var order = failing(error);
        for (int i = 0; i < 3; i++) {
            assertThrows(IllegalStateException.class, () -> pay(order));
        }
        assertThrows(IllegalStateException.class, () -> payAll(List.of(order)));

        assertEquals(List.of("pay", "payAll"), marks(error));
    }

    @HeddleTest
    void linesThroughSeveralCoroutinesAreInOrder() {
        var error = new IllegalStateException("bad");
        var inner = failing(error);
        var outer =
                spawn(
                        () -> {
                            pay(inner);
                            return "never";
                        });

        assertThrows(IllegalStateException.class, () -> payAll(List.of(outer)));
        assertEquals(List.of("pay", "payAll"), marks(error));
    }

    @HeddleTest
    void thereAreAtMostEight() {
        var error = new IllegalStateException("bad");
        var all = new ArrayList<Coroutine<String>>();
        all.add(failing(error));
        assertThrows(RuntimeException.class, () -> await(all.getFirst()));
        assertThrows(RuntimeException.class, () -> await(all.getFirst()));
        assertThrows(RuntimeException.class, () -> await(all.getFirst()));
        assertThrows(RuntimeException.class, () -> await(all.getFirst()));
        assertThrows(RuntimeException.class, () -> await(all.getFirst()));
        assertThrows(RuntimeException.class, () -> await(all.getFirst()));
        assertThrows(RuntimeException.class, () -> await(all.getFirst()));
        assertThrows(RuntimeException.class, () -> await(all.getFirst()));
        assertThrows(RuntimeException.class, () -> await(all.getFirst()));

        assertEquals(8, marks(error).size());
    }

    @HeddleTest
    void checkedFailureIsLeftAloneBecauseItsWrapperHasTheStack() {
        var error = new IOException("bad");
        Coroutine<String> order =
                spawn(
                        () -> {
                            throw error;
                        });

        var wrapper = assertThrows(CompletionException.class, () -> pay(order.observed()));
        assertEquals(List.of(), marks(error));
        assertTrue(
                Arrays.stream(wrapper.getStackTrace())
                        .anyMatch(each -> each.getMethodName().equals("pay")));
    }

    @HeddleTest
    void exceptionWithoutAStackAndHostileOnesAreThrownAsTheyAre() {
        var bare = new Bare();
        var hostile = new Hostile();

        assertSame(bare, assertThrows(Bare.class, () -> pay(failing(bare))));
        assertEquals(0, bare.getStackTrace().length);
        assertSame(hostile, assertThrows(Hostile.class, () -> pay(failing(hostile))));
    }

    private static final class Bare extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Bare() {
            super("bare", null, false, false);
        }
    }

    private static final class Hostile extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new IllegalArgumentException("not telling");
        }
    }

    // ---- waits that are over ----

    private static void waitFor(Deferred<String> never, Duration timeout) {
        await(never, timeout);
    }

    private static void waitFor(Deferred<String> never, Token token) {
        await(never, token);
    }

    @HeddleTest(seeds = 20)
    void timeoutAndTokenHaveTheStackOfTheOneWhoWaited() {
        var never = new Promise<String>().deferred();
        for (VoidOp<RuntimeException> wait :
                List.<VoidOp<RuntimeException>>of(
                        () -> waitFor(never, SECOND),
                        () -> waitFor(never, Token.after(SECOND)),
                        () -> waitFor(never, Token.after(Duration.ZERO)))) {
            var thrown = assertThrows(OperationCancelledException.class, wait::run);
            assertTrue(
                    Arrays.stream(thrown.getStackTrace())
                            .anyMatch(each -> each.getMethodName().equals("waitFor")),
                    () -> Arrays.toString(thrown.getStackTrace()));
        }
    }
}
