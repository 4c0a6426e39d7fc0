package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.iterate;
import static dev.heddle.Heddle.mapEach;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.test.HeddleTest;
import dev.heddle.test.TestWorld;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Bodies for many items, several at a time.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class IterateTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final List<String> trail = new ArrayList<>();
    private int running;
    private int most;
    private int asked;

    private static List<Integer> numbers(int count) {
        return IntStream.range(0, count).boxed().toList();
    }

    private Iterable<Integer> endless() {
        return () -> Stream.generate(() -> asked++).iterator();
    }

    private void slowly(int item) {
        running++;
        most = Math.max(most, running);
        try {
            delay(Duration.ofMillis(1 + item % 7));
        } finally {
            running--;
        }
    }

    // ---- the limit ----

    @HeddleTest(seeds = 20)
    void exactlyAsManyRunAtATimeAsAllowed() {
        for (int limit : new int[] {1, 2, 3, 10}) {
            most = 0;
            iterate(numbers(50), limit, this::slowly);

            assertEquals(limit, most);
            assertEquals(0, running);
        }
    }

    @HeddleTest(seeds = 20)
    void moreRoomThanItemsRunsAllAtOnce() {
        iterate(numbers(5), Integer.MAX_VALUE, this::slowly);

        assertEquals(5, most);
    }

    @HeddleTest(seeds = 20)
    void itemsAreAskedForOnlyWhenThereIsRoom() {
        var work = spawn(() -> iterate(endless(), 3, _ -> delay(Duration.ofDays(1))));
        delay(SECOND);
        assertEquals(3, asked);
        work.cancelAndAwait("enough");
    }

    @HeddleTest
    void limitBelowOneIsRefusedBeforeAnythingIsAskedFor() {
        for (int limit : new int[] {0, -1, Integer.MIN_VALUE}) {
            var thrown =
                    assertThrows(
                            IllegalArgumentException.class,
                            () -> iterate(endless(), limit, this::slowly));
            assertTrue(thrown.getMessage().contains(String.valueOf(limit)), thrown.getMessage());
        }

        assertEquals(0, asked);
    }

    // ---- results ----

    @HeddleTest(seeds = 20)
    void resultsAreInTheOrderOfTheItemsHoweverLongEachTakes() {
        List<String> results =
                mapEach(
                        numbers(20),
                        6,
                        item -> {
                            delay(Duration.ofMillis(100 - item));
                            return "r" + item;
                        });

        assertEquals(numbers(20).stream().map(i -> "r" + i).toList(), results);
    }

    @HeddleTest
    void nothingToDoIsDoneAtOnce() {
        iterate(List.<Integer>of(), 4, this::slowly);
        assertEquals(List.of(), mapEach(List.<Integer>of(), 4, item -> item));
    }

    @HeddleTest(seeds = 20)
    void slowLastOneIsWaitedFor() {
        iterate(
                List.of(1, 2, 9),
                3,
                item -> {
                    delay(SECOND.multipliedBy(item));
                    trail.add("done " + item);
                });
        trail.add("all");

        assertEquals(List.of("done 1", "done 2", "done 9", "all"), trail);
    }

    @HeddleTest(seeds = 20)
    void whatABodySpawnsIsWaitedForToo() {
        iterate(
                List.of(1),
                1,
                _ ->
                        spawn(
                                () -> {
                                    delay(SECOND);
                                    trail.add("grandchild");
                                }));
        trail.add("all");

        assertEquals(List.of("grandchild", "all"), trail);
    }

    // ---- errors ----

    @HeddleTest(seeds = 20)
    void firstErrorCancelsTheRestAndArrivesAsItsOwnCheckedType(TestWorld world) {
        var error = new IOException("item 1");
        var thrown =
                assertThrows(
                        IOException.class,
                        () -> iterate(numbers(10), 3, item -> failAtOne(item, error)));

        assertSame(error, thrown);
        assertEquals(Set.of("cancelled 0", "cancelled 2"), Set.copyOf(trail));
        assertEquals(SECOND, world.elapsed());
    }

    private void failAtOne(int item, IOException error) throws IOException {
        try {
            delay(item == 1 ? SECOND : Duration.ofDays(1));
        } catch (Cancellation cancelled) {
            trail.add("cancelled " + item);
            throw cancelled;
        }
        throw error;
    }

    @HeddleTest(seeds = 20)
    void mapEachThrowsTheBodysOwnTypeTooAndUncheckedOnesAsTheyAre() {
        var checked = new IOException("checked");
        var unchecked = new IllegalStateException("unchecked");
        var fatal = new StackOverflowError("pretended");

        for (Throwable error : List.of(checked, unchecked, fatal)) {
            assertSame(
                    error,
                    assertThrows(Throwable.class, () -> mapEach(numbers(3), 2, _ -> raise(error))));
        }
    }

    private static String raise(Throwable error) throws IOException {
        switch (error) {
            case IOException checked -> throw checked;
            case RuntimeException unchecked -> throw unchecked;
            default -> throw (Error) error;
        }
    }

    @HeddleTest(seeds = 20)
    void endlessItemsEndWithTheFirstError() {
        var error = new IllegalStateException("at 100");
        var askedThen = new int[1];
        var thrown =
                assertThrows(
                        Throwable.class,
                        () ->
                                iterate(
                                        endless(),
                                        4,
                                        item -> {
                                            suspend();
                                            if (item == 100) {
                                                askedThen[0] = asked;
                                                throw error;
                                            }
                                        }));

        assertSame(error, thrown);
        assertEquals(askedThen[0], asked, "asked for more after the error");
    }

    private static void failAt(int item, int bad, RuntimeException error) {
        suspend();
        if (item == bad) {
            throw error;
        }
    }

    @HeddleTest(seeds = 20)
    void endlessItemsWithEndlessRoomStillLetTheBodiesRun() {
        var error = new IllegalStateException("at 10");
        var thrown =
                assertThrows(
                        Throwable.class,
                        () ->
                                iterate(
                                        endless(),
                                        Integer.MAX_VALUE,
                                        item -> failAt(item, 10, error)));
        assertSame(error, thrown);
    }

    @HeddleTest(seeds = 20)
    void errorsOfTheOthersWhileTheyAreCancelledAreSuppressedOntoTheFirst() {
        var first = new IllegalStateException("first");
        var second = new IllegalStateException("while cleaning up");
        var thrown =
                assertThrows(
                        Throwable.class,
                        () -> iterate(List.of(first, second), 2, IterateTest::cleanUpBadly));

        assertSame(first, thrown);
        assertTrue(List.of(first.getSuppressed()).contains(second));
    }

    private static void cleanUpBadly(IllegalStateException error) {
        try {
            delay(error.getMessage().equals("first") ? SECOND : Duration.ofDays(1));
        } finally {
            raiseUnchecked(error);
        }
    }

    private static void raiseUnchecked(RuntimeException error) {
        throw error;
    }

    @HeddleTest(seeds = 20)
    void errorOfTheIteratorCancelsWhatRunsAndIsThrown(TestWorld world) {
        var error = new IllegalStateException("no more items");
        Iterable<Integer> items =
                () ->
                        Stream.iterate(0, i -> i + 1)
                                .peek(
                                        i -> {
                                            if (i == 2) {
                                                throw error;
                                            }
                                        })
                                .iterator();
        var thrown =
                assertThrows(
                        Throwable.class, () -> iterate(items, 5, _ -> delay(Duration.ofDays(1))));
        assertSame(error, thrown);

        assertEquals(Duration.ZERO, world.elapsed());
    }

    @HeddleTest
    void nullItemsAreRefusedByTheirPosition() {
        var thrown =
                assertThrows(
                        NullPointerException.class,
                        () -> iterate(Arrays.asList(1, null), 1, this::slowly));
        assertEquals("item 1", thrown.getMessage());
    }

    @HeddleTest
    void nullArgumentsAreRefused() {
        assertThrows(NullPointerException.class, () -> iterate(null, 1, (Integer _) -> {}));
        assertThrows(NullPointerException.class, () -> iterate(numbers(1), 1, null));
        assertThrows(NullPointerException.class, () -> mapEach(null, 1, (Integer i) -> i));
        assertThrows(NullPointerException.class, () -> mapEach(numbers(1), 1, null));
    }

    // ---- suspending items, cancelling ----

    @HeddleTest(seeds = 20)
    void itemsMayWaitToo(TestWorld world) {
        iterate(() -> ticks(3), 2, item -> trail.add("item " + item));
        trail.add("end");

        assertEquals(List.of("item 1", "item 2", "item 3", "end"), trail);
        assertEquals(SECOND.multipliedBy(3), world.elapsed());
    }

    private static Iterator<Integer> ticks(int count) {
        return Stream.iterate(1, i -> i + 1).limit(count).peek(_ -> delay(SECOND)).iterator();
    }

    @HeddleTest(seeds = 20)
    void errorWhileTheItemsWaitEndsThatWait(TestWorld world) {
        var error = new IllegalStateException("early");
        Iterable<Integer> items =
                () ->
                        Stream.concat(
                                        Stream.of(1),
                                        Stream.of(2).peek(_ -> delay(Duration.ofDays(1))))
                                .iterator();
        var thrown =
                assertThrows(Throwable.class, () -> iterate(items, 5, _ -> raiseUnchecked(error)));
        assertSame(error, thrown);

        assertEquals(Duration.ZERO, world.elapsed());
    }

    @HeddleTest(seeds = 20)
    void cancellingTheCallerCancelsWhatRunsAndWaitsForIt() {
        var caller = spawn(() -> iterate(numbers(10), 2, this::cleanUpSlowly));
        delay(SECOND);
        caller.cancel("enough");

        assertInstanceOf(Outcome.Cancelled.class, caller.awaitOutcome());

        assertEquals(Set.of("cleaned 0", "cleaned 1"), Set.copyOf(trail));
    }

    private void cleanUpSlowly(int item) {
        try {
            delay(Duration.ofDays(1));
        } finally {
            delay(Duration.ofMillis(10));
            trail.add("cleaned " + item);
        }
    }

    @HeddleTest(seeds = 20)
    void coroutineOfAnItemThatSomebodyCancelsEndsTheCallInsteadOfHangingIt() {
        var caller =
                spawn(
                        () ->
                                assertThrows(
                                        OperationCancelledException.class,
                                        () -> iterate(numbers(10), 2, _ -> delay(SECOND))));
        delay(Duration.ofMillis(1));
        Heddle.coroutines().getLast().cancel("by a stranger");

        var thrown = caller.await();
        assertEquals("the coroutine of item 1 was cancelled", thrown.getMessage());
    }

    @Test
    void coroutineOfAnItemCancelledBeforeItBeganDoesNotLeaveAHoleInTheResults() {
        var world = World.virtual();
        var results = new ArrayList<Integer>();
        world.run(
                () -> {
                    var caller =
                            spawn(
                                    () ->
                                            assertThrows(
                                                    OperationCancelledException.class,
                                                    () ->
                                                            results.addAll(
                                                                    mapEach(
                                                                            numbers(2),
                                                                            2,
                                                                            i -> i))));
                    suspend();
                    Heddle.coroutines().getLast().cancel("by a stranger");
                    caller.await();
                });

        assertEquals(List.of(), results);
    }

    @Test
    void anItemThatIsGivenUpIsNeitherWaitedForNorLeftOut() {
        var real = World.real().with(options -> options.cleanUpWindow(Duration.ofMillis(1)));
        real.run(
                () -> {
                    var thrown =
                            assertThrows(
                                    OperationCancelledException.class,
                                    () -> mapEach(List.of(1, 2), 1, IterateTest::ignoreForLong));
                    assertTrue(thrown.getMessage().contains("given up"), thrown.getMessage());
                });
    }

    // Swallows its own cancellation until nobody waits for it any more.
    private static int ignoreForLong(int item) {
        var self = Heddle.current();
        self.cancel("not this one");
        while (!self.isZombie()) {
            try {
                suspend();
            } catch (Cancellation swallowed) {
                Thread.onSpinWait();
            }
        }
        return item;
    }

    @Test
    void whatTheItemsThemselvesThrowIsThrown() {
        var world = World.virtual();
        world.run(
                () -> {
                    var thrown =
                            assertThrows(
                                    OperationCancelledException.class,
                                    () ->
                                            mapEach(
                                                    IterateTest::oneAndThenTooLate,
                                                    2,
                                                    _ -> {
                                                        delay(Duration.ofHours(1));
                                                        return 1;
                                                    }));
                    assertTrue(thrown.timedOut());
                });
    }

    private static Iterator<Integer> oneAndThenTooLate() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public Integer next() {
                if (next++ > 0) {
                    Heddle.within(Duration.ofMillis(1), () -> delay(Duration.ofHours(1)));
                }
                return next;
            }
        };
    }
}
