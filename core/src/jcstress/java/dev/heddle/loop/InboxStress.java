package dev.heddle.loop;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.L_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;

/// Nothing that is added to an inbox is lost or taken twice, and each producer's tasks keep their
/// order.
///
/// Two threads at a time, since a machine with two processors cannot race three: two producers, or
/// a producer and the loop, and at the end the loop again.
///
/// Gate: MC-01.
public class InboxStress {
    @JCStressTest
    @Outcome(id = "all, in order", expect = Expect.ACCEPTABLE, desc = "As promised.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Lost, twice, or out of order.")
    @State
    public static class TwoProducers {
        private final Inbox inbox = new Inbox();

        @Actor
        public void one() {
            inbox.add(new Numbered(0, 0));
            inbox.add(new Numbered(0, 1));
        }

        @Actor
        public void other() {
            inbox.add(new Numbered(1, 0));
            inbox.add(new Numbered(1, 1));
        }

        @Arbiter
        public void loop(L_Result result) {
            var ready = new ReadyQueue();
            inbox.takeInto(ready);
            result.r1 = Numbered.verdict(ready);
        }
    }

    @JCStressTest
    @Outcome(id = "all, in order", expect = Expect.ACCEPTABLE, desc = "As promised.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Lost, twice, or out of order.")
    @State
    public static class ProducerAndLoop {
        private final Inbox inbox = new Inbox();
        private final ReadyQueue ready = new ReadyQueue();

        public ProducerAndLoop() {
            inbox.add(new Numbered(1, 0));
            inbox.add(new Numbered(1, 1));
        }

        @Actor
        public void producer() {
            inbox.add(new Numbered(0, 0));
            inbox.add(new Numbered(0, 1));
        }

        @Actor
        public void loop() {
            inbox.takeInto(ready);
            inbox.takeInto(ready);
        }

        @Arbiter
        public void loopAtLast(L_Result result) {
            inbox.takeInto(ready);
            result.r1 = Numbered.verdict(ready);
        }
    }

    @JCStressTest
    @Outcome(
            id = {"0, 0", "0, 1", "1, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "Not yet taken, or taken with all that came before.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Taken, but what was done before it is not seen.")
    @State
    public static class AddAndTake {
        private final Inbox inbox = new Inbox();
        private int before;

        @Actor
        public void producer() {
            before = 1;
            inbox.add(new Numbered(0, 0));
        }

        @Actor
        public void loop(II_Result result) {
            result.r1 = inbox.takeInto(new ReadyQueue());
            result.r2 = before;
        }
    }

    @JCStressTest
    @Outcome(
            id = {"true, 0", "true, 1", "false, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "Still empty, or not empty with all that came before.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Not empty, but what was done before is not seen.")
    @State
    public static class AddAndLook {
        private final Inbox inbox = new Inbox();
        private int before;

        @Actor
        public void producer() {
            before = 1;
            inbox.add(new Numbered(0, 0));
        }

        @Actor
        public void observer(ZI_Result result) {
            result.r1 = inbox.isEmpty();
            result.r2 = before;
        }
    }

    /// Adds first, and does what the task is about afterwards.
    @JCStressTest
    @Outcome(
            id = {"true, 0", "true, 1", "false, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "It went well this time.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Not empty, but what was done before is not seen.")
    @State
    public static class BrokenPublish {
        private final Inbox inbox = new Inbox();
        private int before;

        @Actor
        public void producer() {
            inbox.add(new Numbered(0, 0));
            // Room for the observer to come in between: without it that is seen once in 30 000.
            Thread.onSpinWait();
            before = 1;
        }

        @Actor
        public void observer(ZI_Result result) {
            result.r1 = inbox.isEmpty();
            result.r2 = before;
        }
    }

    @JCStressTest
    @Outcome(id = "all, in order", expect = Expect.ACCEPTABLE, desc = "It went well this time.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Lost, twice, or out of order.")
    @State
    public static class BrokenAdd {
        private final BrokenInbox inbox = new BrokenInbox(BrokenInbox.Flaw.ADD_WITHOUT_COMPARE);

        @Actor
        public void one() {
            inbox.add(new Numbered(0, 0));
            inbox.add(new Numbered(0, 1));
        }

        @Actor
        public void other() {
            inbox.add(new Numbered(1, 0));
            inbox.add(new Numbered(1, 1));
        }

        @Arbiter
        public void loop(L_Result result) {
            var ready = new ReadyQueue();
            inbox.takeInto(ready);
            result.r1 = Numbered.verdict(ready);
        }
    }

    @JCStressTest
    @Outcome(id = "all, in order", expect = Expect.ACCEPTABLE, desc = "It went well this time.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Lost, twice, or out of order.")
    @State
    public static class BrokenTake {
        private final BrokenInbox inbox = new BrokenInbox(BrokenInbox.Flaw.TAKE_WITHOUT_EXCHANGE);
        private final ReadyQueue ready = new ReadyQueue();

        public BrokenTake() {
            inbox.add(new Numbered(1, 0));
            inbox.add(new Numbered(1, 1));
        }

        @Actor
        public void producer() {
            inbox.add(new Numbered(0, 0));
            inbox.add(new Numbered(0, 1));
        }

        @Actor
        public void loop() {
            inbox.takeInto(ready);
            inbox.takeInto(ready);
        }

        @Arbiter
        public void loopAtLast(L_Result result) {
            inbox.takeInto(ready);
            result.r1 = Numbered.verdict(ready);
        }
    }
}
