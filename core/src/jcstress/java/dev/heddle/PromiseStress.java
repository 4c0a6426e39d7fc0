package dev.heddle;

import dev.heddle.reactor.SimReactor;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

import java.io.IOException;
import java.io.UncheckedIOException;

/// Of two threads that settle a promise exactly one wins, everybody sees that one's result, and who
/// sees it sees all that the winner did before.
///
/// Gate: MC-03.
public class PromiseStress {
    // Promises only remember it here: nobody is told.
    private static final Scheduler SCHEDULER = scheduler();

    private static Scheduler scheduler() {
        var reactor = new SimReactor();
        try {
            return new Scheduler(
                    Heddle.with().loop(options -> options.reactor(reactor, reactor::nanos)));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static int number(Outcome<Integer> outcome) {
        return outcome instanceof Outcome.Success<Integer>(var value) ? value : 0;
    }

    @JCStressTest
    @org.openjdk.jcstress.annotations.Outcome(
            id = "true, false, 1",
            expect = Expect.ACCEPTABLE,
            desc = "The first won.")
    @org.openjdk.jcstress.annotations.Outcome(
            id = "false, true, 2",
            expect = Expect.ACCEPTABLE,
            desc = "The second won.")
    @org.openjdk.jcstress.annotations.Outcome(
            expect = Expect.FORBIDDEN,
            desc = "Both won, none, or the loser's result stands.")
    @State
    public static class SettleAndSettle {
        private final Deferred<Integer> deferred = new Deferred<>(SCHEDULER, false);

        @Actor
        public void first(ZZI_Result result) {
            result.r1 = deferred.win(new Outcome.Success<>(1));
        }

        @Actor
        public void second(ZZI_Result result) {
            result.r2 = deferred.win(new Outcome.Success<>(2));
        }

        @Arbiter
        public void reader(ZZI_Result result) {
            result.r3 = number(deferred.peek());
        }
    }

    @JCStressTest
    @org.openjdk.jcstress.annotations.Outcome(
            id = {"0, 0", "0, 1", "1, 1"},
            expect = Expect.ACCEPTABLE,
            desc = "Not yet there, or there with all that came before.")
    @org.openjdk.jcstress.annotations.Outcome(
            expect = Expect.FORBIDDEN,
            desc = "There, but what was done before it is not.")
    @State
    public static class SettleAndLook {
        private final Deferred<Integer> deferred = new Deferred<>(SCHEDULER, false);
        private int before;

        @Actor
        public void settler() {
            before = 1;
            deferred.win(new Outcome.Success<>(1));
        }

        @Actor
        public void reader(II_Result result) {
            result.r1 = number(deferred.peek());
            result.r2 = before;
        }
    }

    @JCStressTest
    @org.openjdk.jcstress.annotations.Outcome(
            id = "true, false, 1",
            expect = Expect.ACCEPTABLE,
            desc = "Completed, and the cancellation came too late.")
    @org.openjdk.jcstress.annotations.Outcome(
            id = "false, true, 0",
            expect = Expect.ACCEPTABLE,
            desc = "Cancelled, and the value came too late.")
    @org.openjdk.jcstress.annotations.Outcome(
            expect = Expect.FORBIDDEN,
            desc = "Both, neither, or the loser's result stands.")
    @State
    public static class CompleteAndCancel {
        private final Deferred<Integer> deferred = new Deferred<>(SCHEDULER, false);
        private final Outcome<Integer> cancelled =
                new Outcome.Cancelled<>(deferred.newCancellation("enough"));

        @Actor
        public void completer(ZZI_Result result) {
            result.r1 = deferred.win(new Outcome.Success<>(1));
        }

        @Actor
        public void canceller(ZZI_Result result) {
            result.r2 = deferred.win(cancelled);
        }

        @Arbiter
        public void waiter(ZZI_Result result) {
            result.r3 = number(deferred.peek());
        }
    }

    /// Looks whether it is settled, and then settles it: two can find it pending.
    @JCStressTest
    @org.openjdk.jcstress.annotations.Outcome(
            id = {"true, false, 1", "false, true, 2"},
            expect = Expect.ACCEPTABLE,
            desc = "It went well this time.")
    @org.openjdk.jcstress.annotations.Outcome(
            expect = Expect.FORBIDDEN,
            desc = "Both won, none, or the loser's result stands.")
    @State
    public static class BrokenLookThenSettle {
        private volatile int outcome;

        @Actor
        public void first(ZZI_Result result) {
            result.r1 = win(1);
        }

        @Actor
        public void second(ZZI_Result result) {
            result.r2 = win(2);
        }

        @Arbiter
        public void reader(ZZI_Result result) {
            result.r3 = outcome;
        }

        private boolean win(int value) {
            if (outcome != 0) {
                return false;
            }
            outcome = value;
            return true;
        }
    }
}
