package dev.heddle.test;

import dev.heddle.VoidOp;
import dev.heddle.reactor.Backend;

/// One run of a scenario in its world, from the first coroutine to the last check.
///
/// **Thread:** owner (who runs it).
final class WorldRun {
    private final TestWorld world;
    private final Leftovers leftovers;

    private final boolean withFiles;

    /// @param withFiles whether descriptors of the process are looked at, which takes a moment
    WorldRun(TestWorld world, boolean withFiles) {
        this.world = world;
        this.withFiles = withFiles;
        leftovers = new Leftovers(world);
    }

    /// Runs it here, or on a thread that can be given up if there is a limit.
    void run(Scenario scenario) {
        Checks.outsideOfCoroutines();
        Backend backend = world.settings().backend();
        if (backend != null) {
            Checks.backend(backend, world.settings().virtualTime());
        }
        if (world.settings().limit().isZero()) {
            runHere(scenario);
        } else {
            new HangGuard(world).run(() -> runHere(scenario));
        }
    }

    private void runHere(Scenario scenario) {
        var holdings = new Holdings(withFiles);
        boolean ended = false;
        try {
            world.options().run(main(scenario));
            ended = true;
        } catch (Throwable thrown) {
            Abandoned.explain(thrown, world);
            throw thrown;
        } finally {
            var left = holdings.ended();
            left.addAll(world.leftInKernel());
            left.addAll(world.probe().leftAtEnd());
            if (ended && world.settings().checked()) {
                leftovers.checkAfterwards(left);
            }
        }
    }

    private VoidOp<RuntimeException> main(Scenario scenario) {
        return () -> {
            try {
                scenario.run(world);
            } catch (Throwable thrown) {
                throw WorldRun.<RuntimeException>asItIs(thrown);
            }
            if (world.settings().checked()) {
                leftovers.check();
            }
        };
    }

    // A test may throw anything, and wants to see that, not a wrapping of it.
    @SuppressWarnings("unchecked")
    static <X extends Throwable> RuntimeException asItIs(Throwable thrown) throws X {
        throw (X) thrown;
    }
}
