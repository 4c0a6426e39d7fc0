package dev.heddle.loop;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

import java.util.concurrent.atomic.AtomicBoolean;

/// What a thread did before it sent an [Async], or before it raised a signal, is seen by a callback
/// that comes afterwards, however sends and callbacks meet.
public class AsyncStress {
    @JCStressTest
    @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "The last callback saw the last send.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A send is lost.")
    @State
    public static class SendAndRun {
        private final Engine engine = Bench.engine();
        private final Async async = new Async(engine, this::look);
        private int data = 1;
        private int seen;

        public SendAndRun() {
            async.send();
            Bench.handOver(engine);
        }

        @Actor
        public void sender() {
            data = 2;
            async.send();
        }

        @Actor
        public void loop() {
            Bench.turn(engine);
        }

        @Arbiter
        public void loopAtLast(I_Result result) {
            Bench.turn(engine);
            result.r1 = seen;
        }

        private void look() {
            seen = data;
        }
    }

    @JCStressTest
    @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "The last callback saw the last signal.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A signal is lost.")
    @State
    public static class RaiseAndRun {
        private final Engine engine = Bench.engine();
        private final SignalWatch watch = new SignalWatch(engine, "USR1", this::look);
        private int data = 1;
        private int seen;

        public RaiseAndRun() {
            watch.setActive(true);
            watch.raise();
            Bench.handOver(engine);
        }

        @Actor
        public void signalThread() {
            data = 2;
            watch.raise();
        }

        @Actor
        public void loop() {
            Bench.turn(engine);
        }

        @Arbiter
        public void loopAtLast(I_Result result) {
            Bench.turn(engine);
            result.r1 = seen;
        }

        private void look() {
            seen = data;
        }
    }

    /// Quiet again only after the callback: a send in between finds it pending and is lost.
    @JCStressTest
    @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "It went well this time.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A send is lost.")
    @State
    public static class BrokenOrder {
        private final AtomicBoolean pending = new AtomicBoolean();
        private volatile boolean queued;
        private int data;
        private int seen;

        @Actor
        public void sender() {
            data = 1;
            send();
            data = 2;
            send();
        }

        @Actor
        public void loop() {
            run();
        }

        @Arbiter
        public void loopAtLast(I_Result result) {
            run();
            result.r1 = seen;
        }

        private void send() {
            if (pending.compareAndSet(false, true)) {
                queued = true;
            }
        }

        private void run() {
            if (queued) {
                queued = false;
                seen = data;
                pending.set(false);
            }
        }
    }

    /// Looks whether it is pending before the caller's own stores are out.
    @JCStressTest
    @Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "It went well this time.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "A send is lost.")
    @State
    public static class BrokenFence {
        private final AtomicBoolean pending = new AtomicBoolean(true);
        private int data = 1;
        private int seen;

        @Actor
        public void sender() {
            data = 2;
            if (!pending.get()) {
                pending.compareAndSet(false, true);
            }
        }

        @Actor
        public void loop() {
            pending.set(false);
            seen = data;
        }

        @Arbiter
        public void loopAtLast(I_Result result) {
            if (pending.get()) {
                seen = data;
            }
            result.r1 = seen;
        }
    }
}
