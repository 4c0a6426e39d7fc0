package dev.heddle.loop;

import dev.heddle.sys.AtomicField;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A loop that goes to sleep and a thread that adds a task cannot miss each other: the loop is kept
/// from sleeping, or the thread is told to ring.
///
/// Gate: MC-02.
public class SleepStress {
    @JCStressTest
    @Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "Seen, and not slept.")
    @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "Slept, and rung.")
    @Outcome(id = "false, true", expect = Expect.FORBIDDEN, desc = "Asleep, and nobody rings.")
    @Outcome(id = "true, false", expect = Expect.FORBIDDEN, desc = "Rung in vain.")
    @State
    public static class AddAndSleep {
        private final Inbox inbox = new Inbox();

        @Actor
        public void producer(ZZ_Result result) {
            result.r1 = inbox.add(new Numbered(0, 0)) == Inbox.Added.AND_MUST_RING;
        }

        @Actor
        public void loop(ZZ_Result result) {
            result.r2 = inbox.sleep();
        }
    }

    @JCStressTest
    @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The first one rings.")
    @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The other one rings.")
    @Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "Asleep, and nobody rings.")
    @Outcome(id = "true, true", expect = Expect.FORBIDDEN, desc = "Rung twice.")
    @State
    public static class TwoAddWhileAsleep {
        private final Inbox inbox = new Inbox();

        public TwoAddWhileAsleep() {
            inbox.sleep();
        }

        @Actor
        public void one(ZZ_Result result) {
            result.r1 = inbox.add(new Numbered(0, 0)) == Inbox.Added.AND_MUST_RING;
        }

        @Actor
        public void other(ZZ_Result result) {
            result.r2 = inbox.add(new Numbered(1, 0)) == Inbox.Added.AND_MUST_RING;
        }
    }

    /// A flag beside a queue, without the fences that this needs.
    @JCStressTest
    @Outcome(id = "false, true", expect = Expect.FORBIDDEN, desc = "Asleep, and nobody rings.")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "They met, this time.")
    @State
    public static class BrokenFlag {
        private boolean asleep;
        private boolean added;

        @Actor
        public void producer(ZZ_Result result) {
            added = true;
            result.r1 = asleep;
        }

        @Actor
        public void loop(ZZ_Result result) {
            asleep = true;
            result.r2 = !added;
        }
    }

    /// A flag beside a queue, each stored with release and read with acquire: that orders neither a
    /// store before a later load, which is all that matters here. On every processor that we know
    /// both can miss the other, so this one must be caught in every run.
    @JCStressTest
    @Outcome(id = "false, true", expect = Expect.FORBIDDEN, desc = "Asleep, and nobody rings.")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "They met, this time.")
    @State
    public static class BrokenReleaseAcquire {
        private static final VarHandle ASLEEP =
                AtomicField.of(MethodHandles.lookup(), "asleep", boolean.class);
        private static final VarHandle ADDED =
                AtomicField.of(MethodHandles.lookup(), "added", boolean.class);

        @SuppressWarnings("unused") // by ASLEEP
        private boolean asleep;

        @SuppressWarnings("unused") // by ADDED
        private boolean added;

        @Actor
        public void producer(ZZ_Result result) {
            ADDED.setRelease(this, true);
            result.r1 = (boolean) ASLEEP.getAcquire(this);
        }

        @Actor
        public void loop(ZZ_Result result) {
            ASLEEP.setRelease(this, true);
            result.r2 = !(boolean) ADDED.getAcquire(this);
        }
    }

    /// The same with volatile stores and loads: then one of them sees the other.
    @JCStressTest
    @Outcome(id = "false, true", expect = Expect.FORBIDDEN, desc = "Asleep, and nobody rings.")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "They met.")
    @State
    public static class VolatileFlag {
        private volatile boolean asleep;
        private volatile boolean added;

        @Actor
        public void producer(ZZ_Result result) {
            added = true;
            result.r1 = asleep;
        }

        @Actor
        public void loop(ZZ_Result result) {
            asleep = true;
            result.r2 = !added;
        }
    }

    /// Whoever finds the loop asleep rings, but does not take the mark away in the same step.
    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.FORBIDDEN, desc = "Rung twice.")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "One rings.")
    @State
    public static class BrokenRing {
        private volatile boolean asleep = true;

        @Actor
        public void one(ZZ_Result result) {
            result.r1 = asleep;
            asleep = false;
        }

        @Actor
        public void other(ZZ_Result result) {
            result.r2 = asleep;
            asleep = false;
        }
    }
}
