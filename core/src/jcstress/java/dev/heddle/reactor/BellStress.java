package dev.heddle.reactor;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;
import org.openjdk.jcstress.infra.results.Z_Result;

import java.util.concurrent.atomic.AtomicInteger;

/// A bell's rings are one system call until they are answered, none is lost, and none is under way
/// or to come when the descriptor is closed.
///
/// Gate: MC-02.
public class BellStress {
    @JCStressTest
    @Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "Before the close, or not at all.")
    @Outcome(id = "true", expect = Expect.FORBIDDEN, desc = "A call on a closed descriptor.")
    @State
    public static class RingAndClose {
        private final Descriptor descriptor = new Descriptor();
        private final Bell bell = new Bell(descriptor::use);

        @Actor
        public void other() {
            bell.ring();
        }

        @Actor
        public void loop() {
            bell.close();
            descriptor.close();
        }

        @Arbiter
        public void end(Z_Result result) {
            result.r1 = descriptor.misused;
        }
    }

    @JCStressTest
    @Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Not seen, and not pending.")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "Seen, or the next poll sees it.")
    @State
    public static class RingAndAnswer {
        private final Bell bell = new Bell(() -> {});
        private int data;

        public RingAndAnswer() {
            bell.ring();
        }

        @Actor
        public void other() {
            data = 1;
            bell.ring();
        }

        @Actor
        public void loop(ZZ_Result result) {
            bell.answer();
            result.r1 = data == 1;
        }

        @Arbiter
        public void end(ZZ_Result result) {
            result.r2 = bell.isPending();
        }
    }

    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "One call for both.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "No call, or one each.")
    @State
    public static class TwoRings {
        private final AtomicInteger calls = new AtomicInteger();
        private final Bell bell = new Bell(calls::incrementAndGet);

        @Actor
        public void one() {
            bell.ring();
        }

        @Actor
        public void other() {
            bell.ring();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = calls.get();
        }
    }

    /// Closes without waiting for whoever is inside.
    @JCStressTest
    @Outcome(id = "false", expect = Expect.ACCEPTABLE, desc = "It went well this time.")
    @Outcome(id = "true", expect = Expect.FORBIDDEN, desc = "A call on a closed descriptor.")
    @State
    public static class BrokenClose {
        private final Descriptor descriptor = new Descriptor();
        private volatile boolean closed;

        @Actor
        public void other() {
            if (!closed) {
                descriptor.use();
            }
        }

        @Actor
        public void loop() {
            closed = true;
            descriptor.close();
        }

        @Arbiter
        public void end(Z_Result result) {
            result.r1 = descriptor.misused;
        }
    }

    /// Looks first and answers afterwards.
    @JCStressTest
    @Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Not seen, and not pending.")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "Seen, or the next poll sees it.")
    @State
    public static class BrokenAnswer {
        private final Bell bell = new Bell(() -> {});
        private int data;

        public BrokenAnswer() {
            bell.ring();
        }

        @Actor
        public void other() {
            data = 1;
            bell.ring();
        }

        @Actor
        public void loop(ZZ_Result result) {
            result.r1 = data == 1;
            bell.answer();
        }

        @Arbiter
        public void end(ZZ_Result result) {
            result.r2 = bell.isPending();
        }
    }

    /// Looks whether a ring is pending, and then stores that one is.
    @JCStressTest
    @Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "It went well this time.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "One call each.")
    @State
    public static class BrokenRing {
        private final AtomicInteger calls = new AtomicInteger();
        private volatile boolean pending;

        @Actor
        public void one() {
            ring();
        }

        @Actor
        public void other() {
            ring();
        }

        @Arbiter
        public void end(I_Result result) {
            result.r1 = calls.get();
        }

        private void ring() {
            if (!pending) {
                pending = true;
                calls.incrementAndGet();
            }
        }
    }

    /// Knows whether it was used after it had been closed.
    private static final class Descriptor {
        private volatile boolean closed;
        private volatile boolean misused;

        void use() {
            boolean before = closed;
            // The time that a system call takes, in which the number may get another owner.
            Thread.onSpinWait();
            if (before || closed) {
                misused = true;
            }
        }

        void close() {
            closed = true;
        }
    }
}
