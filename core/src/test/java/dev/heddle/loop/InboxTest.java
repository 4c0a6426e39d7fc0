package dev.heddle.loop;

import static dev.heddle.loop.Inbox.Added.AND_MUST_RING;
import static dev.heddle.loop.Inbox.Added.QUIETLY;
import static dev.heddle.loop.Inbox.Added.REFUSED;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/// Every arrow of the inbox's states, one by one, and then all at once with real threads. The races
/// proper are the business of the stress tests.
///
/// **Thread:** owner (the test runner).
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class InboxTest {
    private static final int PRODUCERS = 3;
    private static final int EACH = 100_000;

    private final Inbox inbox = new Inbox();
    private final ReadyQueue ready = new ReadyQueue();
    private final Numbered one = new Numbered(0, 1);
    private final Numbered two = new Numbered(0, 2);
    private final Numbered three = new Numbered(0, 3);

    @Test
    void aNewInboxIsEmptyAndItsLoopAwake() {
        assertTrue(inbox.isEmpty());
        assertEquals(List.of(), take());
        assertEquals(QUIETLY, inbox.add(one));
        assertFalse(inbox.isEmpty());
    }

    @Test
    void tasksAreTakenOldestFirstBehindWhatIsReadyAlready() {
        ready.add(one);
        inbox.add(two);
        inbox.add(three);

        assertEquals(2, inbox.takeInto(ready));

        assertEquals(List.of(1, 2, 3), numbers());
        assertTrue(inbox.isEmpty());
    }

    @Test
    void aTaskThatWasTakenCanBeAddedAgain() {
        inbox.add(one);
        inbox.add(two);
        assertEquals(List.of(1, 2), take());
        inbox.add(two);
        inbox.add(one);

        assertEquals(List.of(2, 1), take());
    }

    @Test
    void onlyTheFirstToAddToASleepingLoopMustRing() {
        assertTrue(inbox.sleep());
        assertTrue(inbox.isEmpty(), "asleep is no task");

        assertEquals(AND_MUST_RING, inbox.add(one));
        assertEquals(QUIETLY, inbox.add(two));

        assertEquals(List.of(1, 2), take());
        assertEquals(QUIETLY, inbox.add(three), "awake again");
    }

    @Test
    void aLoopDoesNotSleepOnTasks() {
        inbox.add(one);

        assertFalse(inbox.sleep());

        assertEquals(List.of(1), take());
        assertTrue(inbox.sleep());
    }

    @Test
    void sleepingTwiceIsSleeping() {
        assertTrue(inbox.sleep());
        assertTrue(inbox.sleep());
        assertEquals(AND_MUST_RING, inbox.add(one));
    }

    @Test
    void takingFromASleepingInboxWakesIt() {
        inbox.sleep();
        assertEquals(List.of(), take());

        assertEquals(QUIETLY, inbox.add(one));
    }

    @Test
    void aClosedInboxRefusesForGood() {
        assertTrue(inbox.close());
        assertTrue(inbox.close(), "idempotent");

        assertEquals(REFUSED, inbox.add(one));
        assertEquals(List.of(), take());
        assertEquals(REFUSED, inbox.add(one), "taking does not open it");
        assertFalse(inbox.sleep());
        assertEquals(REFUSED, inbox.add(one), "nor does sleeping");
        assertTrue(inbox.isEmpty());
    }

    @Test
    void aSleepingInboxCanBeClosed() {
        inbox.sleep();
        assertTrue(inbox.close());
        assertEquals(REFUSED, inbox.add(one));
    }

    @Test
    void anInboxWithTasksCannotBeClosed() {
        inbox.add(one);

        assertFalse(inbox.close());

        assertEquals(QUIETLY, inbox.add(two));
        assertEquals(List.of(1, 2), take());
        assertTrue(inbox.close());
    }

    @Test
    void whatWasRefusedIsNotInTheInbox() {
        inbox.close();
        inbox.add(one);

        assertEquals(0, inbox.takeInto(ready));
        assertTrue(ready.isEmpty());
    }

    @Test
    void nothingIsLostAndEveryoneKeepsHisOrderHoweverTheLoopSleeps() throws Exception {
        var bell = new Semaphore(0);
        var producers = new ArrayList<FutureTask<Integer>>();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < PRODUCERS; i++) {
            int name = i;
            var task = new FutureTask<>(() -> produce(name, bell));
            producers.add(task);
            threads.add(Thread.ofPlatform().start(task));
        }
        var next = new int[PRODUCERS];
        int sleeps = 0;
        for (int left = PRODUCERS * EACH; left > 0; ) {
            if (inbox.sleep()) {
                sleeps++;
                bell.acquire();
            }
            left -= inbox.takeInto(ready);
            for (Task task = ready.poll(); task != null; task = ready.poll()) {
                var numbered = (Numbered) task;
                assertEquals(next[numbered.producer]++, numbered.number);
            }
        }
        int rings = 0;
        for (int i = 0; i < PRODUCERS; i++) {
            rings += producers.get(i).get();
            threads.get(i).join();
        }

        assertTrue(IntStream.of(next).allMatch(count -> count == EACH));
        assertEquals(sleeps, rings, "one ring for every sleep");
        assertEquals(0, bell.availablePermits());
    }

    private int produce(int producer, Semaphore bell) {
        int rings = 0;
        for (int i = 0; i < EACH; i++) {
            if (inbox.add(new Numbered(producer, i)) == AND_MUST_RING) {
                rings++;
                bell.release();
            }
        }
        return rings;
    }

    private List<Integer> take() {
        inbox.takeInto(ready);
        return numbers();
    }

    private List<Integer> numbers() {
        var numbers = new ArrayList<Integer>();
        for (Task task = ready.poll(); task != null; task = ready.poll()) {
            numbers.add(((Numbered) task).number);
        }
        return numbers;
    }

    private static final class Numbered extends Task {
        final int producer;
        final int number;

        Numbered(int producer, int number) {
            this.producer = producer;
            this.number = number;
        }

        @Override
        protected void run() {}
    }
}
