package dev.heddle.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;

import dev.heddle.reactor.Backend;
import dev.heddle.testing.Bystander;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;

/// What a [Trigger] promises, on every backend.
///
/// **Thread:** owner (the test runner).
abstract class TriggerContract extends EventTestCase {
    private static final int FIRES = 10_000;

    TriggerContract(Backend backend) {
        super(backend);
    }

    @Test
    void anotherThreadEndsAWait() throws IOException {
        var trigger = new Trigger(loop, "wake up");
        var sleeper = new Sleeper(loop);
        if (isSimulated()) {
            sim.holdTimeWhile(() -> true);
        }
        // Whether it fires before the wait or in it: it is subscribed before the loop looks.
        try (var _ = Bystander.doing(trigger::fire)) {
            sleeper.begin().on(trigger).suspend();
        }

        assertEquals(":null", sleeper.answer());
        assertEquals(List.of(trigger), sleeper.triggered());
        trigger.dispose();
    }

    @Test
    void firesThatComeBeforeTheLoopLooksAreOne() throws IOException {
        var trigger = new Trigger(loop, "t");
        trigger.subscribe(this.<Void>noting("t"));
        trigger.start();
        try (var _ = Bystander.doing(() -> fire(trigger, 5));
                var _ = Bystander.doing(() -> fire(trigger, 5))) {
            fire(trigger, 5);
        }

        assertEquals(List.of("t:null"), turn());
        assertEquals(List.of(), turn());
        trigger.fire();
        assertEquals(List.of("t:null"), turn());
        trigger.dispose();
    }

    @Test
    void whatIsNotStartedDoesNotFire() throws IOException {
        var trigger = new Trigger(loop, "t");
        trigger.subscribe(this.<Void>noting("t"));
        trigger.fire();
        assertEquals(List.of(), turn());

        trigger.start();
        assertEquals(List.of(), turn(), "nothing is remembered");
        trigger.fire();
        assertEquals(List.of("t:null"), turn());
        trigger.stop();
        trigger.fire();
        assertEquals(List.of(), turn());
        trigger.dispose();
    }

    @Test
    void itKeepsTheLoopAliveOnlyWhileStarted() {
        var trigger = new Trigger(loop, "t");
        assertFalse(loop.alive());
        trigger.start();
        assertTrue(loop.alive());
        trigger.stop();
        assertFalse(loop.alive());
        trigger.dispose();
    }

    @Test
    void hiddenItFiresButDoesNotKeepTheLoopAlive() throws IOException {
        var trigger = new Trigger(loop, "t");
        trigger.hide();
        trigger.subscribe(this.<Void>noting("t"));
        trigger.start();
        assertFalse(loop.alive());
        trigger.fire();

        assertEquals(List.of("t:null"), turn());
        trigger.dispose();
    }

    @Test
    void disposedOfItRefusesToFire() throws IOException {
        var trigger = new Trigger(loop, "t");
        trigger.subscribe(this.<Void>noting("t"));
        trigger.start();
        trigger.fire();
        trigger.dispose();

        assertTrail("t gone");
        assertEquals(List.of(), turn(), "not even for a fire that came before");
        var thrown = assertThrows(IllegalStateException.class, trigger::fire);
        assertEquals("disposed of: Trigger(\"t\")", thrown.getMessage());
    }

    @Test
    void firingAllocatesNothing() throws IOException {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        var trigger = new Trigger(loop, "t");
        trigger.start();
        fire(trigger, FIRES);
        long before = threads.getCurrentThreadAllocatedBytes();
        fire(trigger, FIRES);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertTrue(allocated < FIRES, allocated + " bytes");
        trigger.dispose();
    }

    @Test
    void itsNameIsInItsInfo() {
        var trigger = new Trigger(loop, "reload");
        assertEquals("Trigger(\"reload\")", trigger.info());
        trigger.dispose();
    }

    private static void fire(Trigger trigger, int times) {
        for (int i = 0; i < times; i++) {
            trigger.fire();
        }
    }
}
