package dev.heddle.loop;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// Of a stop by another thread and the firing of a timer exactly one wins, and the stop knows.
///
/// Gate: MC-03.
public class TimerStress {
    @JCStressTest
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "Stopped.")
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "Fired.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Both, or neither.")
    @State
    public static class StopAndFire {
        private final Engine engine = Bench.engine();
        private final Timer timer = new Timer(engine, this::fire);
        private boolean fired;

        public StopAndFire() {
            timer.startAt(0);
            Bench.handOver(engine);
        }

        @Actor
        public void other(ZZ_Result result) {
            result.r1 = timer.stop();
        }

        @Actor
        public void loop(ZZ_Result result) {
            Timer due = engine.timers.pollDue(0);
            if (due != null && due.takeDue()) {
                due.run();
            }
            result.r2 = fired;
        }

        private void fire() {
            fired = true;
        }
    }

    /// A look and a store on both sides.
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.FORBIDDEN, desc = "Stopped, and fired.")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "It went well this time.")
    @State
    public static class BrokenStop {
        private volatile boolean armed = true;

        @Actor
        public void other(ZZ_Result result) {
            if (armed) {
                armed = false;
                result.r1 = true;
            }
        }

        @Actor
        public void loop(ZZ_Result result) {
            if (armed) {
                armed = false;
                result.r2 = true;
            }
        }
    }
}
