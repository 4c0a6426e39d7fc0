package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Interest;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// What one turn does and what it leaves to the next, on every backend.
///
/// **Thread:** owner (the test runner).
abstract class LoopTurnContract extends LoopTestCase {
    LoopTurnContract(Backend backend) {
        super(backend);
    }

    @Test
    void whatATaskPostsRunsInTheNextTurn() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        loop.post(
                () -> {
                    trail.add("first");
                    loop.post(() -> trail.add("third"));
                });
        loop.post(() -> trail.add("second"));

        assertEquals(2, loop.runOnce());
        assertEquals(List.of("first", "second"), trail);

        assertEquals(1, loop.runOnce());
        assertEquals(List.of("first", "second", "third"), trail);
    }

    @Test
    void whatIsPostedBeforeARunComesBeforeWhatItsHooksPost() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        loop.post(() -> trail.add("before"));
        var hook = loop.onPrepare(() -> loop.post(() -> trail.add("hook's")));

        loop.runOnce();
        hook.stop();
        loop.run();

        assertEquals(List.of("before", "hook's"), trail);
    }

    // L67
    @Test
    void theFirstTurnOfARunAsksTheKernelAlsoWhileATaskIsReady() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        loop.runNowait();
        var watch = loop.watch(fixture.readable(), Interest.READ, (_, _) -> trail.add("watch"));
        loop.post(() -> trail.add("task"));

        loop.runNowait();

        assertEquals(List.of("watch", "task"), trail);
        watch.stop();
    }

    @Test
    void aTaskThatPostsItselfForEverStarvesNobody() throws IOException {
        var loop = fixture.open();
        Set<String> served = new TreeSet<>();
        var watch = loop.watch(fixture.readable(), Interest.READ, (_, _) -> served.add("watch"));
        loop.after(Duration.ofMillis(1), () -> served.add("timer"));
        fixture.outside(() -> loop.post(() -> served.add("outsider")));
        loop.post(
                new Task() {
                    @Override
                    protected void run() {
                        // On a simulated loop nothing else makes time pass.
                        if (served.size() == 2) {
                            fixture.spend(Duration.ofMillis(1));
                        }
                        if (served.size() < 3) {
                            loop.post(this);
                        } else {
                            watch.close();
                        }
                    }
                });

        assertFalse(loop.run());

        assertEquals(Set.of("outsider", "timer", "watch"), served);
    }

    @Test
    void runOnceSaysHowManyCallbacksItRan() throws IOException {
        var loop = fixture.open();
        var watch = loop.watch(fixture.readable(), Interest.READ, (_, _) -> {});
        loop.post(() -> {});
        loop.after(Duration.ZERO, () -> {});
        int callbacks = 0;
        while (loop.stats().events() == 0) {
            callbacks += loop.runOnce();
        }

        assertEquals(3, callbacks);
        watch.close();
        assertEquals(1, loop.runOnce(), "the close");
    }

    @Test
    void wakeEndsAWaitWithoutATask() throws IOException {
        var loop = fixture.open();
        var far = loop.after(Duration.ofDays(1), () -> {});

        whileAsleep(loop::wake, () -> assertEquals(0, loop.runOnce()));

        assertTrue(loop.alive());
        far.stop();
    }

    @Test
    void aWakeBeforeTheWaitIsNotLost() throws IOException {
        var loop = fixture.open();
        var far = loop.after(Duration.ofDays(1), () -> {});

        loop.wake();

        assertEquals(0, loop.runOnce());
        far.stop();
    }
}
