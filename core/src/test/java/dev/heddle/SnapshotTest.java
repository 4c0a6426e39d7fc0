package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// What a snapshot shows, and that the loop goes on while one is taken.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class SnapshotTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final World world = World.virtual();

    private static Snapshot.OfCoroutine named(Snapshot snapshot, String name) {
        return snapshot.coroutines().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aCoroutineIsShownWithItsStateAndWhatItWaitsForAndHowLong() {
        world.run(
                () -> {
                    var sleeper = spawn("sleeper", () -> delay(HOUR));
                    var waiter = spawn("waiter", () -> await(sleeper));
                    delay(SECOND);
                    var fresh = spawn("fresh", () -> {});

                    var snapshot = Heddle.snapshot();

                    assertEquals(
                            List.of("main", "sleeper", "waiter", "fresh"),
                            snapshot.coroutines().stream()
                                    .map(Snapshot.OfCoroutine::name)
                                    .toList());
                    var shown = named(snapshot, "waiter");
                    assertEquals(waiter.id(), shown.id());
                    assertEquals(CoroutineState.WAITING, shown.state());
                    assertEquals("Coroutine #2 \"sleeper\"", shown.awaiting());
                    assertEquals(SECOND, shown.waitingFor());
                    assertEquals("Timer(3600s, once)", named(snapshot, "sleeper").awaiting());
                    assertEquals(CoroutineState.RUNNING, named(snapshot, "main").state());
                    assertEquals(CoroutineState.QUEUED, named(snapshot, "fresh").state());
                    assertEquals(Duration.ZERO, named(snapshot, "main").waitingFor());
                    assertEquals(SECOND.toNanos(), snapshot.nanos());
                    assertEquals(Optional.of(HOUR.minus(SECOND)), snapshot.nextTimer());
                    assertEquals(1, snapshot.stats().timers());
                    await(fresh);
                    sleeper.cancel();
                });
    }

    @Test
    void aCancellationUnderWayIsShownWithItsReasonAndAge() {
        world.run(
                () -> {
                    var slow = spawn("slow", SnapshotTest::swallowTwice);
                    suspend();
                    slow.cancel("enough");
                    delay(SECOND.multipliedBy(3).dividedBy(2));

                    var shown = named(Heddle.snapshot(), "slow").cancelling().orElseThrow();

                    assertEquals("enough", shown.reason());
                    assertEquals(1, shown.unanswered());
                    assertEquals(SECOND.multipliedBy(3).dividedBy(2), shown.age());
                    assertEquals(Optional.empty(), named(Heddle.snapshot(), "main").cancelling());
                });
    }

    private static void swallowTwice() {
        for (int i = 0; i < 3; i++) {
            try {
                delay(HOUR);
            } catch (Cancellation ignored) {
                // Once more: this one is meant to be slow to go.
            }
        }
    }

    @Test
    void scopesAreShownWithTheirParentsAndTheirOwnCounts() {
        world.run(
                () -> {
                    var outer = new Scope().named("outer");
                    var inner = Scope.inherit(outer).named("inner");
                    outer.spawn(() -> delay(HOUR));
                    inner.spawn(() -> delay(HOUR));
                    inner.spawn(() -> delay(HOUR));
                    suspend();
                    inner.cancel("not needed");

                    var scopes = Heddle.snapshot().scopes();

                    assertEquals(3, scopes.size());
                    assertEquals(OptionalLong.empty(), scopes.get(0).parent());
                    var shownOuter = scopes.get(1);
                    assertEquals("outer", shownOuter.name());
                    assertEquals(OptionalLong.of(scopes.get(0).id()), shownOuter.parent());
                    assertEquals(1, shownOuter.active());
                    assertTrue(
                            shownOuter.createdAt().startsWith("SnapshotTest.java:"),
                            shownOuter.createdAt());
                    var shownInner = scopes.get(2);
                    assertEquals(OptionalLong.of(shownOuter.id()), shownInner.parent());
                    assertEquals(0, shownInner.active());
                    assertEquals(2, shownInner.zombies());
                    assertTrue(shownInner.closed());
                    assertEquals(Optional.of("not needed"), shownInner.cancelled());
                    long zombies =
                            Heddle.snapshot().coroutines().stream()
                                    .filter(Snapshot.OfCoroutine::zombie)
                                    .filter(each -> each.scope() == shownInner.id())
                                    .count();
                    assertEquals(2, zombies);
                    outer.dispose();
                });
    }

    @Test
    void whereACoroutineWaitsIsKnownInDebugModeOnly() {
        world.with(HeddleOptions::debug)
                .run(
                        () -> {
                            var one = spawn("one", () -> delay(HOUR));
                            suspend();
                            var shown = named(Heddle.snapshot(), "one");
                            assertTrue(shown.suspendedAt().startsWith("SnapshotTest.java:"));
                            assertTrue(shown.spawnedAt().startsWith("SnapshotTest.java:"));
                            one.cancel();
                        });
    }

    @Test
    void stacksAreFetchedOneByOne() {
        world.run(
                () -> {
                    var one = spawn(SnapshotTest::sleepLong);
                    suspend();

                    var stack = Heddle.stackOf(one.id());

                    assertTrue(
                            stack.stream()
                                    .anyMatch(frame -> frame.getMethodName().equals("sleepLong")),
                            stack.toString());
                    assertEquals(List.of(), Heddle.stackOf(12345));
                    one.cancel();
                });
    }

    private static void sleepLong() {
        delay(HOUR);
    }

    @Test
    void theOthersRunBetweenThePages() {
        int count = 100_000;
        world.run(
                () -> {
                    var never = new Promise<String>();
                    for (int i = 0; i < count; i++) {
                        spawn(() -> await(never.deferred()));
                    }
                    suspend();
                    var turns = new int[1];
                    var ticker = spawn("ticker", () -> countTurns(turns));
                    suspend();
                    turns[0] = 0;
                    long begin = System.nanoTime();

                    var snapshot = Heddle.snapshot();

                    System.out.printf(
                            "snapshot of %d coroutines: %d ms, the others ran %d times%n",
                            count, (System.nanoTime() - begin) / 1_000_000, turns[0]);
                    assertEquals(count + 2, snapshot.coroutines().size());
                    assertTrue(turns[0] >= count / Snapshots.PAGE, turns[0] + " turns");
                    ticker.cancel();
                    never.complete("");
                });
    }

    private static void countTurns(int[] turns) {
        while (true) {
            turns[0]++;
            suspend();
        }
    }

    @Test
    void coroutinesThatComeAndGoBetweenThePagesDoNotDisturbIt() {
        int count = 4 * Snapshots.PAGE;
        world.run(
                () -> {
                    var all = new ArrayList<Coroutine<?>>();
                    for (int i = 0; i < count; i++) {
                        all.add(spawn("c" + i, () -> delay(HOUR)));
                    }
                    suspend();
                    // Ends every other one from the back, and spawns as many, page by page.
                    var churn = spawn("churn", () -> churn(all));

                    var snapshot = Heddle.snapshot();

                    var ids = snapshot.coroutines().stream().map(Snapshot.OfCoroutine::id).toList();
                    assertEquals(ids.stream().distinct().sorted().toList(), ids);
                    for (int i = 0; i < count; i += 2) {
                        assertTrue(ids.contains(all.get(i).id()), "c" + i);
                    }
                    await(churn);
                    Heddle.coroutines().stream()
                            .filter(each -> each != Heddle.current())
                            .forEach(Coroutine::cancel);
                });
    }

    private static void churn(List<Coroutine<?>> all) {
        for (int i = all.size() - 1; i >= 0; i -= 2) {
            all.get(i).cancel();
            spawn(() -> delay(HOUR));
            if (i % 100 == 1) {
                suspend();
            }
        }
    }

    @Test
    void anyThreadMayAskALoopThatRuns() throws Exception {
        var real = World.real();
        real.run(
                () -> {
                    spawn("other", () -> await(Promise.<String>external().deferred()));
                    Promise<Snapshot> answer = Promise.external();
                    var asker =
                            Thread.ofPlatform()
                                    .start(
                                            () ->
                                                    Heddle.snapshots()
                                                            .forEach(each -> hand(each, answer)));

                    var snapshot = await(answer.deferred());

                    asker.join();
                    assertEquals(2, snapshot.coroutines().size());
                    assertEquals(CoroutineState.WAITING, named(snapshot, "main").state());
                    Heddle.coroutines().getLast().cancel();
                });

        assertEquals(List.of(), Heddle.snapshots());
    }

    private static void hand(CompletableFuture<Snapshot> from, Promise<Snapshot> to) {
        from.thenAccept(to::complete);
    }

    @Test
    void aLoopThatHasEndedSaysSo() {
        Scheduler scheduler = world.call(() -> Heddle.current().scheduler());

        var failed =
                assertThrows(ExecutionException.class, () -> Snapshots.ofLoop(scheduler).get());

        assertInstanceOf(IllegalStateException.class, failed.getCause());
    }

    @Test
    void aCallbackCannotTakeOne() {
        world.run(
                () ->
                        Heddle.current()
                                .loop()
                                .post(
                                        () -> {
                                            assertThrows(
                                                    IllegalStateException.class, Heddle::snapshot);
                                            world.say("refused");
                                        }));

        assertEquals(List.of("refused"), world.trail);
    }
}
