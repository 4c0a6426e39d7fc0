package dev.heddle.test;

import dev.heddle.Cancellation;
import dev.heddle.OperationCancelledException;
import dev.heddle.loop.Timer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/// Cancels a scenario at every one of its suspension points, in every [way][CancelWay], each time
/// in a new world, and checks that nothing is left, that it ends, and what the scenario itself
/// promises.
///
/// ```java
/// CancelTorture.of(TransferMoney::new).run();
///
/// final class TransferMoney implements CancelTorture.Victim {
///     public void run(TestWorld world) { … }
///     public void verify() { assertEquals(100, mine + yours); }
/// }
/// ```
///
/// The cancelled coroutine may be any of the scenario's, its main one included. The scenario may
/// end by a cancellation, its own or one that it met in an await; any other failure is one.
///
/// Each method returns a changed copy.
///
/// **Thread:** immutable.
public final class CancelTorture {
    private static final Duration USUAL_PATIENCE = Duration.ofSeconds(60);

    /// What is tortured: one object for each run.
    public interface Victim extends Scenario {
        /// Checks, after the program has ended, that what was promised holds whatever was
        /// cancelled. Not on the loop.
        default void verify() throws Throwable {}
    }

    private final Supplier<? extends Victim> victims;
    private final Settings settings;
    private final Set<CancelWay> ways;
    private final int percent;
    private final Duration patience;
    private final @Nullable Long only;

    private CancelTorture(
            Supplier<? extends Victim> victims,
            Settings settings,
            Set<CancelWay> ways,
            int percent,
            Duration patience,
            @Nullable Long only) {
        this.victims = victims;
        this.settings = settings;
        this.ways = ways;
        this.percent = percent;
        this.patience = patience;
        this.only = only;
    }

    public static CancelTorture of(Supplier<? extends Victim> victims) {
        return new CancelTorture(
                Objects.requireNonNull(victims, "victims"),
                Settings.DEFAULT,
                EnumSet.allOf(CancelWay.class),
                100,
                USUAL_PATIENCE,
                null);
    }

    /// Runs under this seed, coroutines in random order.
    public CancelTorture seed(long seed) {
        var seeded = settings.withSeed(seed).withSchedule(Schedule.RANDOM);
        return new CancelTorture(victims, seeded, ways, percent, patience, only);
    }

    /// Takes only this share of the points, drawn from the seed.
    public CancelTorture percent(int share) {
        if (share < 1 || share > 100) {
            throw new IllegalArgumentException("percent must be 1 to 100, but is " + share);
        }
        return new CancelTorture(victims, settings, ways, share, patience, only);
    }

    /// How much longer than undisturbed a cancelled scenario may take, in virtual time; a minute
    /// unless said otherwise.
    public CancelTorture patience(Duration limit) {
        Timer.nanosOf(limit);
        return new CancelTorture(victims, settings, ways, percent, limit, only);
    }

    /// Only this way at this point: to look at one failure.
    public CancelTorture only(CancelWay way, long point) {
        Objects.requireNonNull(way, "way");
        if (point < 1) {
            throw new IllegalArgumentException("points count from 1, but this is " + point);
        }
        return new CancelTorture(victims, settings, EnumSet.of(way), 100, patience, point);
    }

    /// {@return how many cancellations were tried}
    ///
    /// @throws AssertionError for the first that did harm, with the line that repeats it
    public int run() {
        var undisturbed = new Attempt(CancelWay.WHILE_PARKED, 0);
        undisturbed.run(Duration.ZERO);
        long points = undisturbed.probe.seen();
        if (points == 0) {
            throw new IllegalArgumentException("the scenario never suspends: nothing to cancel");
        }
        if (only != null && only > points) {
            throw new IllegalArgumentException(
                    "the scenario has " + points + " suspension points, none of number " + only);
        }
        int tried = 0;
        var random = new SplittableRandom(settings.seed());
        for (var way : ways) {
            for (long point = 1; point <= points; point++) {
                boolean chosen = random.nextInt(100) < percent;
                if (only == null ? chosen : only == point) {
                    var attempt = new Attempt(way, point);
                    attempt.run(undisturbed.world.elapsed().plus(patience));
                    tried += attempt.probe.isReached() ? 1 : 0;
                }
            }
        }
        return tried;
    }

    /// One run.
    private final class Attempt {
        private final TestWorld world = new TestWorld(settings);
        private final CancelWay way;
        private final long point;
        private final CancelPoint probe;

        Attempt(CancelWay way, long point) {
            this.way = way;
            this.point = point;
            probe = new CancelPoint(world, way, point);
            world.probe().then(probe);
        }

        /// @param limit of virtual time; zero for none
        void run(Duration limit) {
            var victim = victims.get();
            probe.endAfter(limit);
            try {
                runToEnd(victim);
                if (!limit.isZero() && world.elapsed().compareTo(limit) > 0) {
                    throw new AssertionError(
                            "it ended after " + world.elapsed() + ", later than " + limit);
                }
                victim.verify();
            } catch (Throwable harm) {
                if (point == 0) {
                    throw WorldRun.<RuntimeException>asItIs(harm);
                }
                throw failure(harm);
            }
        }

        private void runToEnd(Victim victim) {
            try {
                new WorldRun(world, false).run(victim);
            } catch (Throwable thrown) {
                if (!probe.isReached() || !isCancellation(thrown)) {
                    throw thrown;
                }
                new Leftovers(world).checkAfterwards(world.probe().leftAtEnd());
            }
        }

        private AssertionError failure(Throwable harm) {
            return new AssertionError(
                    "cancelled "
                            + way
                            + " at suspension point "
                            + point
                            + " ("
                            + probe.where()
                            + "): "
                            + harm
                            + "\n    repeat it with "
                            + (settings.isSeeded() ? ".seed(" + settings.seed() + "L)" : "")
                            + ".only(CancelWay."
                            + way
                            + ", "
                            + point
                            + ")",
                    harm);
        }
    }

    private static boolean isCancellation(Throwable thrown) {
        return thrown instanceof OperationCancelledException || thrown instanceof Cancellation;
    }
}
