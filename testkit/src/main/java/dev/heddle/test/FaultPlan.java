package dev.heddle.test;

import dev.heddle.sys.Errno;
import dev.heddle.sys.Sys;
import dev.heddle.test.kernel.Faults;
import dev.heddle.test.kernel.FaultySys;

import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/// What a [Fault] says, checked.
///
/// **Thread:** immutable.
///
/// @param call nothing for any
/// @param errno 0 for any that the call is known for
record FaultPlan(String call, int errno, int nth, int percent) {
    FaultPlan {
        if (!call.isEmpty() && !Faults.calls().contains(call)) {
            throw new IllegalArgumentException(
                    "no call \"" + call + "\" can fail here; there are " + Faults.calls());
        }
        if (nth < 0 || percent < 0 || percent > 100 || (nth == 0) == (percent == 0)) {
            throw new IllegalArgumentException(
                    "a fault needs either nth (at least 1) or percent (1 to 100), but has nth = "
                            + nth
                            + ", percent = "
                            + percent);
        }
        if (nth > 0 && (call.isEmpty() || errno == 0)) {
            throw new IllegalArgumentException(
                    "the nth call fails with a certain error: say which call and which errno");
        }
    }

    static FaultPlan of(Fault fault) {
        return new FaultPlan(fault.call(), number(fault.errno()), fault.nth(), fault.percent());
    }

    /// {@return the number of this error; 0 for nothing}
    static int number(String errno) {
        return errno.isEmpty() ? 0 : Errno.number(errno);
    }

    /// {@return a kernel in front of `kernel` that fails as all these say}
    static Sys before(Sys kernel, List<FaultPlan> plans, RandomGenerator random) {
        Sys front = kernel;
        for (var plan : plans) {
            front = plan.before(front, random);
        }
        return front;
    }

    private Sys before(Sys kernel, RandomGenerator random) {
        var faulty = new FaultySys(kernel);
        if (call.isEmpty()) {
            return errno == 0
                    ? faulty.failRandomly(random, percent)
                    : faulty.failRandomly(random, percent, Faults.calls(), errno);
        }
        Set<String> calls = Set.of(call);
        if (nth > 0) {
            return faulty.failOnce(nth, errno, calls);
        }
        return errno == 0
                ? faulty.failRandomly(random, percent, calls)
                : faulty.failRandomly(random, percent, calls, errno);
    }
}
