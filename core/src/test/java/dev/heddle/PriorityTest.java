package dev.heddle;

import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.List;

/// Coroutines that go before all others.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class PriorityTest {
    private final World world = World.virtual();

    @Test
    void oneThatWasSpawnedLastBeginsFirst() {
        world.run(
                () -> {
                    spawn(() -> world.say("A"));
                    spawn(() -> world.say("B"));
                    spawn(() -> world.say("urgent")).asHighPriority();
                });

        assertEquals(List.of("urgent", "A", "B"), world.trail);
    }

    @Test
    void ofTwoThatAreUrgentTheLastToBecomeSoBeginsFirst() {
        world.run(
                () -> {
                    spawn(() -> world.say("A"));
                    spawn(() -> world.say("urgent 1")).asHighPriority();
                    spawn(() -> world.say("urgent 2")).asHighPriority();
                });

        assertEquals(List.of("urgent 2", "urgent 1", "A"), world.trail);
    }

    @Test
    void oneThatIsWokenRunsBeforeThoseThatWereReady() {
        world.run(
                () -> {
                    var promise = new Promise<String>();
                    spawn(() -> world.say(promise.deferred().await())).asHighPriority();
                    suspend();
                    spawn(() -> world.say("A"));
                    spawn(() -> world.say("B"));
                    promise.complete("urgent");
                    suspend();
                    world.say("main");
                });

        assertEquals(List.of("urgent", "A", "B", "main"), world.trail);
    }

    @Test
    void oneThatBecomesUrgentWhileItWaitsForItsTurnIsRunOnce() {
        world.run(
                () -> {
                    var twice = spawn(() -> world.say("urgent"));
                    spawn(() -> world.say("A"));
                    spawn(() -> twice.asHighPriority().asHighPriority());
                    spawn(() -> world.say("B"));
                    twice.asHighPriority();
                });

        assertEquals(List.of("urgent", "A", "B"), world.trail);
    }

    @Test
    void itsSuspendStillLetsTheOthersRun() {
        world.run(
                () -> {
                    spawn(
                                    () -> {
                                        for (int i = 1; i <= 3; i++) {
                                            world.say("urgent " + i);
                                            suspend();
                                        }
                                    })
                            .asHighPriority();
                    spawn(() -> world.say("A"));
                    spawn(() -> world.say("B"));
                });

        assertEquals(List.of("urgent 1", "A", "B", "urgent 2", "urgent 3"), world.trail);
    }

    @Test
    void anUrgentOneThatIsCancelledBeforeItBeginsNeverRuns() {
        world.run(
                () -> {
                    var urgent = spawn(() -> world.say("never")).asHighPriority();
                    urgent.cancel("not needed");
                    urgent.onCompletion(outcome -> world.say(outcome.getClass().getSimpleName()));
                    spawn(() -> world.say("A"));
                });

        assertEquals(List.of("A", "Cancelled"), world.trail);
    }

    @Test
    void oneThatWaitsAgainAfterItJumpedTheQueueIsNotWokenByItsOldPlace() {
        world.run(
                () -> {
                    var promise = new Promise<String>();
                    var urgent = spawn(() -> world.say(promise.deferred().await()));
                    spawn(() -> world.say("A"));
                    urgent.asHighPriority();
                    suspend();
                    suspend();
                    world.say("still " + urgent.state());
                    promise.complete("woken");
                });

        assertEquals(List.of("A", "still WAITING", "woken"), world.trail);
    }

    @Test
    void urgentOnesThatWakeEachOtherDoNotKeepTheLoopFromItsTimers() {
        world.run(
                () -> {
                    var stop = new boolean[1];
                    spawn(
                            () -> {
                                Heddle.delay(Duration.ofNanos(1));
                                stop[0] = true;
                            });
                    spawn(() -> chain(stop)).asHighPriority();
                });

        assertEquals(List.of("stopped"), world.trail);
    }

    // Each link waits for the next, which is urgent too, and is woken by it.
    private void chain(boolean[] stop) {
        for (int i = 0; !stop[0]; i++) {
            var promise = new Promise<Integer>();
            int number = i;
            spawn(() -> promise.complete(number)).asHighPriority();
            assertEquals(number, promise.deferred().await());
            if (i == 100) {
                // Virtual time moves only when the loop waits.
                Heddle.delay(Duration.ofNanos(2));
            }
        }
        world.say("stopped");
    }
}
