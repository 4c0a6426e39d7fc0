package dev.heddle.test;

import dev.heddle.sys.Errno;
import dev.heddle.sys.Sys;
import dev.heddle.test.kernel.Faults;
import dev.heddle.test.kernel.FaultySys;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

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
        if (call.isEmpty() && errno != 0 && callsWith(errno).isEmpty()) {
            throw new IllegalArgumentException(
                    "no call but perhaps read and write is known for "
                            + Errno.describe(errno)
                            + ": say which call fails");
        }
        if (nth > 0 && (call.isEmpty() || errno == 0)) {
            throw new IllegalArgumentException(
                    "the nth call fails with a certain error: say which call and which errno");
        }
    }

    /// {@return the calls that are known for this error, without `read` and `write`: see
    /// [FaultySys#failRandomly(RandomGenerator, double)]}
    private static Set<String> callsWith(int errno) {
        return Faults.calls().stream()
                .filter(each -> Faults.errors(each).contains(errno))
                .filter(each -> !each.equals("read") && !each.equals("write"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    static FaultPlan of(Fault fault) {
        return new FaultPlan(fault.call(), number(fault.errno()), fault.nth(), fault.percent());
    }

    /// {@return the number of this error; 0 for nothing}
    static int number(String errno) {
        return errno.isEmpty() ? 0 : Errno.number(errno);
    }

    /// {@return these as a test would write them}
    static String inJava(List<FaultPlan> plans) {
        var all = plans.stream().map(FaultPlan::inJava).collect(Collectors.joining(", "));
        return plans.size() == 1 ? all : "{" + all + "}";
    }

    private String inJava() {
        var parts = new ArrayList<String>();
        if (!call.isEmpty()) {
            parts.add("call = \"" + call + '"');
        }
        if (errno != 0) {
            parts.add("errno = \"" + Errno.describe(errno).split(" ", 2)[0] + '"');
        }
        parts.add(nth > 0 ? "nth = " + nth : "percent = " + percent);
        return "@Fault(" + String.join(", ", parts) + ")";
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
                    : faulty.failRandomly(random, percent, callsWith(errno), errno);
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
