package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.mapEach;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.suspend;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/// Random programs of scopes and coroutines that are cancelled, disposed of and limited at random:
/// after every step the counters must agree with what is there, and at the end nothing may be left.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class ScopeRandomTest {
    private static final int STEPS = 150;
    private static final int MILLIS_MAX = 3000;

    private final World world = World.virtual();
    private final List<Scope> scopes = new ArrayList<>();
    private final List<Coroutine<?>> coroutines = new ArrayList<>();
    private Random random = new Random(0);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 100);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void countersAgreeAndNothingIsLeft(long seed) {
        random = new Random(seed);
        world.run(
                () -> {
                    for (int i = 0; i < STEPS; i++) {
                        step();
                        countersAgree();
                    }
                    scopes.forEach(Scope::dispose);
                    delay(Duration.ofMinutes(1));
                    countersAgree();
                    assertEquals(List.of(Heddle.current()), Heddle.coroutines());
                    scopes.forEach(each -> assertTrue(each.isFinished(), each.info()));
                    coroutines.forEach(each -> assertTrue(each.isFinished(), each.info()));
                });
        assertEquals(List.of(), world.reports(Report.Kind.UNCAUGHT));
        assertEquals(List.of(), world.reports(Report.Kind.ABANDONED));
    }

    private void step() {
        switch (random.nextInt(12)) {
            case 0 -> newScope();
            case 1, 2, 3, 4 -> spawnSomewhere();
            case 5 -> anyCoroutine().cancel("random");
            case 6 -> endScope();
            case 7, 8 -> suspend();
            default -> delay(millis());
        }
    }

    private void newScope() {
        var scope = new Scope();
        var parent = anyScope();
        if (random.nextBoolean() && !parent.isClosed()) {
            scope.close();
            scope = Scope.inherit(parent);
        }
        if (random.nextInt(3) == 0) {
            scope.asNotSafely();
        }
        scopes.add(scope);
    }

    private void spawnSomewhere() {
        var scope = anyScope();
        if (!scope.isClosed()) {
            coroutines.add(scope.spawn(this::body));
        }
    }

    private void endScope() {
        var scope = anyScope();
        switch (random.nextInt(6)) {
            case 0 -> scope.dispose();
            case 1 -> scope.disposeSafely();
            case 2 -> scope.disposeAfterTimeout(millis());
            case 3 -> scope.cancel("random");
            default -> scope.close();
        }
    }

    private void body() {
        switch (random.nextInt(10)) {
            case 0 -> protect(() -> delay(millis()));
            case 6 -> protect(() -> Scope.run(this::block));
            case 7 -> mapEach(List.of(1, 2, 3, 4, 5), 2, _ -> squareOrBlock());
            case 8 -> Scope.run(this::blockWithDaemon);
            case 9 -> cleanUpSpawning();
            case 1 -> limited();
            case 2 -> Scope.run(this::block);
            case 3 -> slowToCleanUp();
            case 4 -> swallowing();
            default -> delay(millis());
        }
    }

    private void limited() {
        try {
            within(millis(), () -> delay(millis()));
        } catch (OperationCancelledException late) {
            assertTrue(late.timedOut());
        }
    }

    private void block(Scope block) {
        block.spawn(() -> delay(millis()));
        block.spawn(this::slowToCleanUp);
        delay(millis());
    }

    private int squareOrBlock() {
        if (random.nextInt(3) == 0) {
            Scope.run(this::block);
        }
        delay(millis());
        return 1;
    }

    private void blockWithDaemon(Scope block) {
        block.spawnDaemon(() -> Scope.run(this::block));
        block.spawnDaemon(() -> delay(Duration.ofHours(1)));
        Scope.run(this::block);
    }

    private void cleanUpSpawning() {
        var home = Scope.current();
        try {
            delay(millis());
        } finally {
            if (Heddle.current().isCancellationRequested() && home.isCancelled()) {
                trySpawn(home);
            }
        }
    }

    // A zombie, or one that was cancelled alone, is refused.
    private void trySpawn(Scope home) {
        try {
            coroutines.add(home.spawn(this::slowToCleanUp));
        } catch (IllegalStateException closed) {
            assertTrue(home.isClosed());
        }
    }

    private void slowToCleanUp() {
        try {
            delay(millis());
        } finally {
            delay(millis());
        }
    }

    private void swallowing() {
        for (int i = 0; i < 3; i++) {
            try {
                delay(millis());
            } catch (Cancellation swallowed) {
                world.say(swallowed.reason());
            }
        }
    }

    private void countersAgree() {
        int zombies = 0;
        for (var each : Heddle.coroutines()) {
            zombies += each.isZombie() ? 1 : 0;
        }
        var root = Heddle.current().scope();
        assertEquals(zombies, root.zombies());
        assertEquals(Heddle.coroutines().size() - zombies, root.active());
        var scheduler = Heddle.current().scheduler();
        assertEquals(root.active(), scheduler.active);
        assertEquals(root.zombies(), scheduler.zombies);
    }

    private Scope anyScope() {
        if (scopes.isEmpty()) {
            scopes.add(new Scope());
        }
        return scopes.get(random.nextInt(scopes.size()));
    }

    private Coroutine<?> anyCoroutine() {
        return coroutines.isEmpty()
                ? Heddle.spawn(() -> 1)
                : coroutines.get(random.nextInt(coroutines.size()));
    }

    private Duration millis() {
        return Duration.ofMillis(random.nextInt(MILLIS_MAX));
    }
}
