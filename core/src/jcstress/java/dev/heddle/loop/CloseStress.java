package dev.heddle.loop;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// What meets the close of an inbox is refused, or the inbox is not closed: never lost. And what is
/// refused can be queued elsewhere.
///
/// Gate: MC-01.
public class CloseStress {
    @JCStressTest
    @Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "Added, so not closed.")
    @Outcome(id = "false, true, 0", expect = Expect.ACCEPTABLE, desc = "Closed, so refused.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Lost, or refused by an open inbox.")
    @State
    public static class AddAndClose {
        private final Inbox inbox = new Inbox();

        @Actor
        public void producer(ZZI_Result result) {
            result.r1 = inbox.add(new Numbered(0, 0)) != Inbox.Added.REFUSED;
        }

        @Actor
        public void loop(ZZI_Result result) {
            result.r2 = inbox.close();
        }

        @Arbiter
        public void loopAtLast(ZZI_Result result) {
            result.r3 = inbox.takeInto(new ReadyQueue());
        }
    }

    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.FORBIDDEN, desc = "Refused, and still linked.")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "Added, or refused and free.")
    @State
    public static class RefusedIsUnlinked {
        private final Inbox inbox = new Inbox();
        private final Numbered task = new Numbered(0, 0);

        public RefusedIsUnlinked() {
            inbox.add(new Numbered(1, 0));
        }

        @Actor
        public void producer(ZZ_Result result) {
            result.r1 = inbox.add(task) == Inbox.Added.REFUSED;
            result.r2 = result.r1 && task.next != null;
        }

        @Actor
        public void loop() {
            inbox.takeInto(new ReadyQueue());
            inbox.close();
        }
    }

    @JCStressTest
    @Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "Added, so not closed.")
    @Outcome(id = "false, true, 0", expect = Expect.ACCEPTABLE, desc = "Closed, so refused.")
    @Outcome(expect = Expect.FORBIDDEN, desc = "Lost, or refused by an open inbox.")
    @State
    public static class BrokenClose {
        private final BrokenInbox inbox = new BrokenInbox(BrokenInbox.Flaw.CLOSE_WITHOUT_COMPARE);

        @Actor
        public void producer(ZZI_Result result) {
            result.r1 = inbox.add(new Numbered(0, 0));
        }

        @Actor
        public void loop(ZZI_Result result) {
            result.r2 = inbox.close();
        }

        @Arbiter
        public void loopAtLast(ZZI_Result result) {
            var ready = new ReadyQueue();
            inbox.takeInto(ready);
            result.r3 = ready.size();
        }
    }

    @JCStressTest
    @Outcome(id = "true, true", expect = Expect.FORBIDDEN, desc = "Refused, and still linked.")
    @Outcome(expect = Expect.ACCEPTABLE, desc = "Added, or refused and free.")
    @State
    public static class BrokenRefusal {
        private final BrokenInbox inbox = new BrokenInbox(BrokenInbox.Flaw.REFUSED_WITH_LINK);
        private final Numbered task = new Numbered(0, 0);

        public BrokenRefusal() {
            inbox.add(new Numbered(1, 0));
        }

        @Actor
        public void producer(ZZ_Result result) {
            result.r1 = !inbox.add(task);
            result.r2 = result.r1 && task.next != null;
        }

        @Actor
        public void loop() {
            inbox.takeInto(new ReadyQueue());
            inbox.close();
        }
    }
}
