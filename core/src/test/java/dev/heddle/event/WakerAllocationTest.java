package dev.heddle.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;

import dev.heddle.loop.Loop;
import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.Test;

import java.lang.management.ManagementFactory;

/// A wait for one or two events allocates nothing.
final class WakerAllocationTest extends EventTestCase {
    private static final int WAITS = 20_000;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    WakerAllocationTest() {
        super(Backend.SIM);
    }

    @Test
    void aWaitForOneEventAllocatesNothing() {
        var event = new Quick(loop);
        var waker = new Quicker(loop, event);

        assertAllocatesNothing(waker, () -> waker.begin().on(event).suspend());
    }

    @Test
    void aWaitForTwoEventsAllocatesNothing() {
        var event = new Quick(loop);
        var other = new Quick(loop);
        var waker = new Quicker(loop, event);

        assertAllocatesNothing(waker, () -> waker.begin().on(other).on(event).suspend());
    }

    @Test
    void aWaitWithATimeoutAllocatesNothing() throws Exception {
        var event = new Quick(loop);
        var waker = new Quicker(loop, event);
        loop.runNowait();

        assertAllocatesNothing(
                waker,
                () -> waker.begin().on(event).onTimeout(waker.timer(1_000_000_000)).suspend());
    }

    private void assertAllocatesNothing(Quicker waker, Runnable wait) {
        for (int i = 0; i < WAITS; i++) {
            wait.run();
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < WAITS; i++) {
            wait.run();
        }
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertEquals(2 * WAITS, waker.parks);
        // The JVM may need a few bytes of its own, such as for on-stack replacement.
        assertTrue(allocated < WAITS, allocated + " bytes in " + WAITS + " waits");
    }

    private static final class Quick extends Event<Void> {
        private final Loop loop;

        Quick(Loop loop) {
            this.loop = loop;
        }

        void happen() {
            fire(null, null);
        }

        @Override
        public Loop loop() {
            return loop;
        }

        @Override
        public String info() {
            return "Quick";
        }
    }

    /// To park is to let the event happen.
    private static final class Quicker extends Waker {
        private final Loop loop;
        private final Quick event;
        private int parks;

        Quicker(Loop loop, Quick event) {
            this.loop = loop;
            this.event = event;
        }

        @Override
        protected void enqueue() {}

        @Override
        protected void run() {}

        @Override
        protected void park() {
            parks++;
            event.happen();
        }

        @Override
        protected Loop loop() {
            return loop;
        }

        @Override
        protected Throwable timedOut(Event<?> timeout) {
            return new IllegalStateException();
        }

        @Override
        protected Throwable cancelledBy(Event<?> token, Throwable reason) {
            return new IllegalStateException();
        }
    }
}
