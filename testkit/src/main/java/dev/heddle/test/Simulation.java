package dev.heddle.test;

import dev.heddle.HeddleOptions;
import dev.heddle.Probe;
import dev.heddle.loop.Timer;
import dev.heddle.reactor.Backend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/// Runs scenarios in worlds of their own: what [HeddleTest] does, without JUnit.
///
/// ```java
/// long hash = Simulation.create().seed(42).schedule(Schedule.RANDOM).run(world -> {
///     var slow = spawn(() -> delay(Duration.ofHours(1)));
///     await(slow);
/// });
/// ```
///
/// Each method returns a changed copy. A run is on the calling thread, which must be a platform
/// thread, unless [#limit] asks for one that can be given up.
///
/// **Thread:** immutable.
public final class Simulation {
    private static final Simulation DEFAULT = new Simulation(Settings.DEFAULT);

    private final Settings settings;

    Simulation(Settings settings) {
        this.settings = settings;
    }

    /// {@return one in virtual time, first in, first out}
    public static Simulation create() {
        return DEFAULT;
    }

    /// Draws everything from this seed; the schedule becomes [Schedule#RANDOM] unless it was
    /// chosen.
    public Simulation seed(long seed) {
        var schedule = settings.schedule() == Schedule.AUTO ? Schedule.RANDOM : settings.schedule();
        return new Simulation(settings.withSeed(seed).withSchedule(schedule));
    }

    public Simulation schedule(Schedule schedule) {
        return new Simulation(settings.withSchedule(Objects.requireNonNull(schedule, "schedule")));
    }

    /// Runs on the machine's own loop, clock and workers.
    public Simulation realTime() {
        return new Simulation(settings.withVirtualTime(false));
    }

    /// Runs with this backend: in virtual time [Backend#SIM], or what the simulated kernel can
    /// play.
    public Simulation backend(Backend backend) {
        return new Simulation(settings.withBackend(Objects.requireNonNull(backend, "backend")));
    }

    /// Lets system calls fail, as [Fault] says.
    ///
    /// @param call as in the manual; nothing for any that is known for the error, but `read` and
    ///   `write`
    /// @param errno such as `EINTR`; nothing for any that the call is known for
    /// @param percent how likely each call fails
    public Simulation faults(String call, String errno, int percent) {
        return with(new FaultPlan(call, FaultPlan.number(errno), 0, percent));
    }

    /// Lets the nth of these system calls fail.
    public Simulation faultAt(int nth, String call, String errno) {
        return with(new FaultPlan(call, FaultPlan.number(errno), nth, 0));
    }

    private Simulation with(FaultPlan plan) {
        var plans = new ArrayList<>(settings.faults());
        plans.add(plan);
        return new Simulation(settings.withFaults(List.copyOf(plans)));
    }

    /// Changes how the program is run: its clean-up window, its grace for zombies, and the like.
    public Simulation options(UnaryOperator<HeddleOptions> change) {
        return new Simulation(settings.withOptions(Objects.requireNonNull(change, "change")));
    }

    /// Gives a run up after this much real time, with the stacks of all its coroutines.
    public Simulation limit(Duration limit) {
        Timer.nanosOf(limit);
        return new Simulation(settings.withLimit(limit));
    }

    /// Does not look for what is left at the end.
    public Simulation withoutChecks() {
        return new Simulation(settings.withChecks(false));
    }

    /// Runs `scenario` to its end and checks that it has left nothing. A shutdown is an end like
    /// any other: what it cancelled did not run, so look at what the scenario did.
    ///
    /// @return the hash of its trace
    public long run(Scenario scenario) {
        return run(scenario, new Probe() {});
    }

    /// [#run(Scenario)] with somebody who is told what its coroutines do.
    public long run(Scenario scenario, Probe probe) {
        Objects.requireNonNull(scenario, "scenario");
        var world = new TestWorld(settings);
        world.probe().then(Objects.requireNonNull(probe, "probe"));
        new WorldRun(world, false).run(scenario);
        return world.traceHash();
    }
}
