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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Bodies for many items, several at a time.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class IterateTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final World world = World.virtual();
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

    @Test
    void exactlyAsManyRunAtATimeAsAllowed() {
        world.run(
                () -> {
                    for (int limit : new int[] {1, 2, 3, 10}) {
                        most = 0;
                        iterate(numbers(50), limit, this::slowly);

                        assertEquals(limit, most);
                        assertEquals(0, running);
                    }
                });
    }

    @Test
    void moreRoomThanItemsRunsAllAtOnce() {
        world.run(() -> iterate(numbers(5), Integer.MAX_VALUE, this::slowly));

        assertEquals(5, most);
    }

    @Test
    void itemsAreAskedForOnlyWhenThereIsRoom() {
        world.run(
                () -> {
                    var work = spawn(() -> iterate(endless(), 3, _ -> delay(Duration.ofDays(1))));
                    delay(SECOND);
                    assertEquals(3, asked);
                    work.cancelAndAwait("enough");
                });
    }

    @Test
    void limitBelowOneIsRefusedBeforeAnythingIsAskedFor() {
        world.run(
                () -> {
                    for (int limit : new int[] {0, -1, Integer.MIN_VALUE}) {
                        var thrown =
                                assertThrows(
                                        IllegalArgumentException.class,
                                        () -> iterate(endless(), limit, this::slowly));
                        assertTrue(
                                thrown.getMessage().contains(String.valueOf(limit)),
                                thrown.getMessage());
                    }
                });

        assertEquals(0, asked);
    }

    // ---- results ----

    @Test
    void resultsAreInTheOrderOfTheItemsHoweverLongEachTakes() {
        List<String> results =
                world.call(
                        () ->
                                mapEach(
                                        numbers(20),
                                        6,
                                        item -> {
                                            delay(Duration.ofMillis(100 - item));
                                            return "r" + item;
                                        }));

        assertEquals(numbers(20).stream().map(i -> "r" + i).toList(), results);
    }

    @Test
    void nothingToDoIsDoneAtOnce() {
        world.run(
                () -> {
                    iterate(List.<Integer>of(), 4, this::slowly);
                    assertEquals(List.of(), mapEach(List.<Integer>of(), 4, item -> item));
                });
    }

    @Test
    void slowLastOneIsWaitedFor() {
        world.run(
                () -> {
                    iterate(
                            List.of(1, 2, 9),
                            3,
                            item -> {
                                delay(SECOND.multipliedBy(item));
                                world.say("done " + item);
                            });
                    world.say("all");
                });

        assertEquals(List.of("done 1", "done 2", "done 9", "all"), world.trail);
    }

    @Test
    void whatABodySpawnsIsWaitedForToo() {
        world.run(
                () -> {
                    iterate(
                            List.of(1),
                            1,
                            _ ->
                                    spawn(
                                            () -> {
                                                delay(SECOND);
                                                world.say("grandchild");
                                            }));
                    world.say("all");
                });

        assertEquals(List.of("grandchild", "all"), world.trail);
    }

    // ---- errors ----

    @Test
    void firstErrorCancelsTheRestAndArrivesAsItsOwnCheckedType() {
        var error = new IOException("item 1");
        var thrown =
                assertThrows(
                        IOException.class,
                        () ->
                                world.run(
                                        () ->
                                                iterate(
                                                        numbers(10),
                                                        3,
                                                        item -> failAtOne(item, error))));

        assertSame(error, thrown);
        assertEquals(List.of("cancelled 0", "cancelled 2"), world.trail);
        assertEquals(SECOND, world.elapsed());
    }

    private void failAtOne(int item, IOException error) throws IOException {
        try {
            delay(item == 1 ? SECOND : Duration.ofDays(1));
        } catch (Cancellation cancelled) {
            world.say("cancelled " + item);
            throw cancelled;
        }
        throw error;
    }

    @Test
    void mapEachThrowsTheBodysOwnTypeTooAndUncheckedOnesAsTheyAre() {
        world.run(
                () -> {
                    var checked = new IOException("checked");
                    var unchecked = new IllegalStateException("unchecked");
                    var fatal = new StackOverflowError("pretended");

                    for (Throwable error : List.of(checked, unchecked, fatal)) {
                        assertSame(
                                error,
                                assertThrows(
                                        Throwable.class,
                                        () -> mapEach(numbers(3), 2, _ -> raise(error))));
                    }
                });
    }

    private static String raise(Throwable error) throws IOException {
        switch (error) {
            case IOException checked -> throw checked;
            case RuntimeException unchecked -> throw unchecked;
            default -> throw (Error) error;
        }
    }

    @Test
    void endlessItemsEndWithTheFirstError() {
        world.run(
                () -> {
                    var error = new IllegalStateException("at 100");
                    var thrown =
                            assertThrows(
                                    Throwable.class,
                                    () -> iterate(endless(), 4, item -> failAt(item, 100, error)));
                    assertSame(error, thrown);
                });

        assertTrue(asked <= 105, () -> "asked for " + asked);
    }

    private static void failAt(int item, int bad, RuntimeException error) {
        suspend();
        if (item == bad) {
            throw error;
        }
    }

    @Test
    void endlessItemsWithEndlessRoomStillLetTheBodiesRun() {
        world.run(
                () -> {
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
                });
    }

    @Test
    void errorsOfTheOthersWhileTheyAreCancelledAreSuppressedOntoTheFirst() {
        world.run(
                () -> {
                    var first = new IllegalStateException("first");
                    var second = new IllegalStateException("while cleaning up");
                    var thrown =
                            assertThrows(
                                    Throwable.class,
                                    () ->
                                            iterate(
                                                    List.of(first, second),
                                                    2,
                                                    IterateTest::cleanUpBadly));

                    assertSame(first, thrown);
                    assertTrue(List.of(first.getSuppressed()).contains(second));
                });
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

    @Test
    void errorOfTheIteratorCancelsWhatRunsAndIsThrown() {
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
        world.run(
                () -> {
                    var thrown =
                            assertThrows(
                                    Throwable.class,
                                    () -> iterate(items, 5, _ -> delay(Duration.ofDays(1))));
                    assertSame(error, thrown);
                });

        assertEquals(Duration.ZERO, world.elapsed());
    }

    @Test
    void nullItemsAreRefusedByTheirPosition() {
        world.run(
                () -> {
                    var thrown =
                            assertThrows(
                                    NullPointerException.class,
                                    () -> iterate(Arrays.asList(1, null), 1, this::slowly));
                    assertEquals("item 1", thrown.getMessage());
                });
    }

    @Test
    void nullArgumentsAreRefused() {
        world.run(
                () -> {
                    assertThrows(
                            NullPointerException.class, () -> iterate(null, 1, (Integer _) -> {}));
                    assertThrows(NullPointerException.class, () -> iterate(numbers(1), 1, null));
                    assertThrows(
                            NullPointerException.class, () -> mapEach(null, 1, (Integer i) -> i));
                    assertThrows(NullPointerException.class, () -> mapEach(numbers(1), 1, null));
                });
    }

    // ---- suspending items, cancelling ----

    @Test
    void itemsMayWaitToo() {
        world.run(
                () -> {
                    iterate(() -> ticks(3), 2, item -> world.say("item " + item));
                    world.say("end");
                });

        assertEquals(List.of("item 1", "item 2", "item 3", "end"), world.trail);
        assertEquals(SECOND.multipliedBy(3), world.elapsed());
    }

    private static Iterator<Integer> ticks(int count) {
        return Stream.iterate(1, i -> i + 1).limit(count).peek(_ -> delay(SECOND)).iterator();
    }

    @Test
    void errorWhileTheItemsWaitEndsThatWait() {
        world.run(
                () -> {
                    var error = new IllegalStateException("early");
                    Iterable<Integer> items =
                            () ->
                                    Stream.concat(
                                                    Stream.of(1),
                                                    Stream.of(2)
                                                            .peek(_ -> delay(Duration.ofDays(1))))
                                            .iterator();
                    var thrown =
                            assertThrows(
                                    Throwable.class,
                                    () -> iterate(items, 5, _ -> raiseUnchecked(error)));
                    assertSame(error, thrown);
                });

        assertEquals(Duration.ZERO, world.elapsed());
    }

    @Test
    void cancellingTheCallerCancelsWhatRunsAndWaitsForIt() {
        world.run(
                () -> {
                    var caller = spawn(() -> iterate(numbers(10), 2, this::cleanUpSlowly));
                    delay(SECOND);
                    caller.cancel("enough");

                    assertInstanceOf(Outcome.Cancelled.class, caller.awaitOutcome());
                    world.say("ended");
                });

        assertEquals(List.of("cleaned 0", "cleaned 1", "ended"), world.trail);
    }

    private void cleanUpSlowly(int item) {
        try {
            delay(Duration.ofDays(1));
        } finally {
            delay(Duration.ofMillis(10));
            world.say("cleaned " + item);
        }
    }

    @Test
    void coroutineOfAnItemThatSomebodyCancelsEndsTheCallInsteadOfHangingIt() {
        world.run(
                () -> {
                    var caller =
                            spawn(
                                    () ->
                                            assertThrows(
                                                    OperationCancelledException.class,
                                                    () ->
                                                            iterate(
                                                                    numbers(10),
                                                                    2,
                                                                    _ -> delay(SECOND))));
                    delay(Duration.ofMillis(1));
                    Heddle.coroutines().getLast().cancel("by a stranger");

                    var thrown = caller.await();
                    assertEquals("the coroutine of item 1 was cancelled", thrown.getMessage());
                });
    }

    @Test
    void coroutineOfAnItemCancelledBeforeItBeganDoesNotLeaveAHoleInTheResults() {
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
}
