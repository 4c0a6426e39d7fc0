package dev.heddle.event;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

import java.util.concurrent.atomic.AtomicInteger;

/// An interrupt that was meant for one piece of work never reaches the next one on that thread.
///
/// Gate: MC-03.
public class InterruptionStress {
    @JCStressTest
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "Sent, and over with the work.")
    @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "Too late, not sent.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The thread is interrupted after the work.")
    @State
    public static class SendAndEnd {
        private final Interruption interruption = new Interruption();
        private Thread thread;

        @Actor
        public void worker() {
            thread = Thread.currentThread();
            interruption.begin();
            interruption.end();
        }

        @Actor
        public void sender(ZZ_Result result) {
            result.r1 = interruption.send();
        }

        @Arbiter
        public void look(ZZ_Result result) {
            result.r2 = thread.isInterrupted();
        }
    }

    /// Says that the interrupt was sent before it is: the end does not wait for it.
    @JCStressTest
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "It went well this time.")
    @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "Too late, not sent.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "The thread is interrupted after the work.")
    @State
    public static class BrokenOrder {
        private static final int RUNNING = 0;
        private static final int SENT = 1;
        private static final int ENDED = 2;

        private final AtomicInteger state = new AtomicInteger(RUNNING);
        // In place of the thread's own, which the test runner needs.
        private volatile boolean flag;

        @Actor
        public void worker() {
            if (state.getAndSet(ENDED) == SENT) {
                flag = false;
            }
        }

        @Actor
        public void sender(ZZ_Result result) {
            if (state.compareAndSet(RUNNING, SENT)) {
                result.r1 = true;
                flag = true;
            }
        }

        @Arbiter
        public void look(ZZ_Result result) {
            result.r2 = flag;
        }
    }
}
