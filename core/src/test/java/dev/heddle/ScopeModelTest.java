package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.protect;
import static dev.heddle.Heddle.within;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.ScopeModel.Layer;
import dev.heddle.ScopeModel.Limit;
import dev.heddle.ScopeModel.Program;
import dev.heddle.ScopeModel.Shield;
import dev.heddle.test.Choices;
import dev.heddle.test.Property;
import dev.heddle.testing.Depth;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Random trees of scopes and coroutines against [ScopeModel], which computes for each coroutine
/// when it must end and why: a cancellation reaches the subtree and nothing else, shields hold, of
/// nested limits the earliest counts.
@Tag("PB-03")
@Timeout(value = 900, threadMode = ThreadMode.SEPARATE_THREAD)
final class ScopeModelTest {
    private static final int STEPS = 30;
    private static final int MILLIS_MAX = 12;
    private static final long MILLI = 1_000_000;

    // What happens at different depths never happens at the same moment, and never when the test
    // acts: who is first of several would be another question.
    private static final long OFFSET = MILLI / 10;
    private static final long DISPOSAL_OFFSET = MILLI / 2;

    private enum Step {
        WAIT(3),
        SPAWN(6),
        NEW_SCOPE(3),
        CANCEL_ONE(2),
        CANCEL(1),
        DISPOSE(1),
        DISPOSE_SAFELY(1),
        DISPOSE_LATER(1),
        CLOSE(1);

        private final int weight;

        Step(int weight) {
            this.weight = weight;
        }

        static Step any(Choices choices) {
            int[] weights = Arrays.stream(values()).mapToInt(step -> step.weight).toArray();
            return values()[choices.weighted(weights)];
        }
    }

    @Test
    void everyCoroutineEndsWhenAndHowTheModelSays() {
        Property.named("scopes do what their model does")
                .tries(Depth.of(10_000, 200_000))
                .check(choices -> new Play(choices).run());
    }

    private static Program program(Choices choices, int depth) {
        long offset = OFFSET * (depth + 1);
        var layers =
                choices.listOf(
                        0, 3, c -> c.chance(0.4) ? new Shield() : new Limit(millis(c) + offset));
        long delay = millis(choices) + offset;
        boolean isBlock = depth < 2 && choices.chance(0.3);
        return new Program(
                List.<Layer>copyOf(layers),
                delay,
                isBlock
                        ? Optional.of(choices.listOf(0, 3, c -> program(c, depth + 1)))
                        : Optional.empty());
    }

    private static long millis(Choices choices) {
        return choices.intBetween(1, MILLIS_MAX) * MILLI;
    }

    /// One case: the same steps on scopes in virtual time and on the model.
    ///
    /// **Thread:** owner (the test).
    private static final class Play {
        private final Choices choices;
        private final World world = World.virtual();
        private final ScopeModel model = new ScopeModel();
        private final List<Scope> scopes = new ArrayList<>();
        private final List<Coroutine<?>> coroutines = new ArrayList<>();
        private final Map<String, String> ends = new TreeMap<>();

        Play(Choices choices) {
            this.choices = choices;
        }

        void run() {
            world.run(
                    () -> {
                        newScope();
                        choices.repeat(0, STEPS, this::step);
                        pause(MILLI);
                        choices.note("dispose of all");
                        for (int scope = 0; scope < scopes.size(); scope++) {
                            scopes.get(scope).dispose();
                            model.dispose(scope, "scope disposed of");
                        }
                        pause(3 * MILLIS_MAX * MILLI);
                        assertEquals(List.of(Heddle.current()), Heddle.coroutines());
                    });
            assertEquals(List.of(), world.reports(Report.Kind.UNCAUGHT));
            assertEquals(List.of(), world.reports(Report.Kind.ABANDONED));
        }

        private void step() {
            switch (choices.named("step").from(Step::any)) {
                case WAIT -> pause(choices.named("millis").intBetween(1, MILLIS_MAX) * MILLI);
                case SPAWN -> spawn();
                case NEW_SCOPE -> newScope();
                case CANCEL_ONE -> cancelOne();
                case CANCEL -> {
                    int scope = anyScope();
                    scopes.get(scope).cancel("cancelled");
                    model.cancel(scope, "cancelled");
                }
                case DISPOSE -> {
                    int scope = anyScope();
                    scopes.get(scope).dispose();
                    model.dispose(scope, "scope disposed of");
                }
                case DISPOSE_SAFELY -> {
                    int scope = anyScope();
                    scopes.get(scope).disposeSafely();
                    model.disposeSafely(scope, "scope disposed of safely");
                }
                case DISPOSE_LATER -> disposeLater();
                case CLOSE -> {
                    int scope = anyScope();
                    scopes.get(scope).close();
                    model.close(scope, "scope closed");
                }
            }
            compareScopes();
        }

        private void newScope() {
            int parent =
                    scopes.isEmpty()
                            ? ScopeModel.NO_PARENT
                            : choices.named("below").intBetween(0, scopes.size()) - 1;
            if (parent == ScopeModel.NO_PARENT) {
                boolean safe = choices.named("safe").chance(0.3);
                scopes.add(safe ? new Scope() : new Scope().asNotSafely());
                model.add(parent, safe);
            } else if (model.isClosed(parent)) {
                assertThrows(IllegalStateException.class, () -> Scope.inherit(scopes.get(parent)));
            } else {
                scopes.add(Scope.inherit(scopes.get(parent)));
                model.add(parent, model.isSafe(parent));
            }
        }

        private void spawn() {
            int scope = anyScope();
            var program = choices.named("program").from(c -> program(c, 0));
            if (model.isClosed(scope)) {
                assertThrows(IllegalStateException.class, () -> scopes.get(scope).spawn(() -> {}));
                return;
            }
            String id = "c" + coroutines.size();
            coroutines.add(scopes.get(scope).spawn(() -> live(id, program)));
            model.spawn(scope, id, program);
        }

        private void cancelOne() {
            if (!coroutines.isEmpty()) {
                int which = choices.named("which").intBetween(0, coroutines.size() - 1);
                coroutines.get(which).cancel("alone");
                model.cancelOne(which, "alone");
            }
        }

        private void disposeLater() {
            int scope = anyScope();
            long nanos = choices.named("after").intBetween(1, MILLIS_MAX) * MILLI + DISPOSAL_OFFSET;
            var after = Duration.ofNanos(nanos);
            scopes.get(scope).disposeAfterTimeout(after);
            model.disposeAfter(scope, nanos, "scope disposed of after " + after);
        }

        private int anyScope() {
            return choices.named("scope").intBetween(0, scopes.size() - 1);
        }

        // What was cancelled before ends now, what was spawned begins.
        private void pause(long nanos) {
            delay(Duration.ofNanos(nanos));
            model.advance(nanos);
            assertEquals(model.endedByNow(), ends);
            compareScopes();
            for (int scope = 0; scope < scopes.size(); scope++) {
                assertEquals(model.active(scope), scopes.get(scope).active(), "active in " + scope);
                assertEquals(
                        model.zombies(scope), scopes.get(scope).zombies(), "zombies in " + scope);
                assertEquals(
                        model.isFinished(scope), scopes.get(scope).isFinished(), "end of " + scope);
            }
        }

        private void compareScopes() {
            for (int scope = 0; scope < scopes.size(); scope++) {
                assertEquals(model.isClosed(scope), scopes.get(scope).isClosed(), "scope " + scope);
            }
        }

        // ---- what a coroutine does ----

        private void live(String id, Program program) {
            try {
                enter(id, program, 0);
                ended(id, "done");
            } catch (OperationCancelledException late) {
                ended(id, late.getMessage());
            } catch (Cancellation cancelled) {
                ended(id, "cancelled: " + cancelled.reason());
                throw cancelled;
            }
        }

        private void enter(String id, Program program, int layer) {
            if (layer == program.layers().size()) {
                innermost(id, program);
                return;
            }
            switch (program.layers().get(layer)) {
                case Limit(var nanos) ->
                        within(Duration.ofNanos(nanos), () -> enter(id, program, layer + 1));
                case Shield() -> protect(() -> enter(id, program, layer + 1));
            }
        }

        private void innermost(String id, Program program) {
            var own = Duration.ofNanos(program.delay());
            if (program.children().isEmpty()) {
                delay(own);
                return;
            }
            var children = program.children().get();
            Scope.run(
                    scope -> {
                        for (int i = 0; i < children.size(); i++) {
                            String child = id + "." + i;
                            var body = children.get(i);
                            scope.spawn(() -> live(child, body));
                        }
                        delay(own);
                    });
        }

        private void ended(String id, String how) {
            ends.put(id, ScopeModel.ending(id, how, world.elapsed().toNanos()));
        }
    }
}
