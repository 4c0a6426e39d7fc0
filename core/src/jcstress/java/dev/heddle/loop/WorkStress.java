package dev.heddle.loop;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LZ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

import java.util.concurrent.atomic.AtomicInteger;

/// Of a cancel and a worker that begins exactly one wins, and the loop is told once, of that one.
/// Of a submit and a close likewise.
///
/// Gate: MC-03.
public class WorkStress {
    @JCStressTest
    @Outcome(id = "cancelled, true", expect = Expect.ACCEPTABLE, desc = "Taken back.")
    @Outcome(id = "ran done, false", expect = Expect.ACCEPTABLE, desc = "Too late.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Both, neither, or told wrongly.")
    @State
    public static class CancelAndBegin {
        private final Engine engine = Bench.engine();
        private final Ending ending = new Ending();
        private final Work<String> work = new Work<>(engine, Runnable::run, ending::call, ending);

        public CancelAndBegin() {
            engine.work.begin();
            Bench.handOver(engine);
        }

        @Actor
        public void canceller(LZ_Result result) {
            result.r2 = work.cancel();
        }

        @Actor
        public void worker() {
            work.job().run();
        }

        @Arbiter
        public void loop(LZ_Result result) {
            int told = Bench.turn(engine);
            boolean counted = told == 1 && engine.work.pending() == 0;
            result.r1 = counted ? ending.text : "told " + told + " times";
        }
    }

    @JCStressTest
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "Begun, so the loop is alive.")
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "Closed, so refused.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Begun for a closed loop, or both refused.")
    @State
    public static class SubmitAndClose {
        private final WorkCount count = new WorkCount();

        @Actor
        public void submitter(ZZ_Result result) {
            result.r1 = count.begin();
        }

        @Actor
        public void loop(ZZ_Result result) {
            result.r2 = count.refuse();
        }
    }

    /// The state is looked at and stored, on both sides.
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.FORBIDDEN, desc = "Taken back, and run.")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "It went well this time.")
    @State
    public static class BrokenCancel {
        private volatile Work.State state = Work.State.QUEUED;

        @Actor
        public void canceller(ZZ_Result result) {
            if (state == Work.State.QUEUED) {
                state = Work.State.CANCELLED;
                result.r1 = true;
            }
        }

        @Actor
        public void worker(ZZ_Result result) {
            if (state == Work.State.QUEUED) {
                state = Work.State.RUNNING;
                result.r2 = true;
            }
        }
    }

    /// Closed is a word of its own beside the count, and the submit looks at it first.
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.FORBIDDEN, desc = "Begun for a closed loop.")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "It went well this time.")
    @State
    public static class BrokenCount {
        private final AtomicInteger count = new AtomicInteger();
        private volatile boolean closed;

        @Actor
        public void submitter(ZZ_Result result) {
            if (!closed) {
                count.incrementAndGet();
                result.r1 = true;
            }
        }

        @Actor
        public void loop(ZZ_Result result) {
            if (count.get() == 0) {
                closed = true;
                result.r2 = true;
            }
        }
    }

    // The worker writes before it posts, the loop after it has taken.
    private static final class Ending implements Work.Completion<String> {
        private String text = "";

        String call() {
            text += "ran";
            return text;
        }

        @Override
        public void done(String result, Throwable error) {
            text += " done";
        }

        @Override
        public void cancelled() {
            text += "cancelled";
        }
    }
}
