package dev.heddle.test;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// A test against a model: random commands are given to the real thing and to a model of it, and
/// after each both must agree. Of a failing list of commands the shortest is found and reported.
///
/// ```java
/// record Add(int value) implements Command<List<Integer>, Ring> {
///     @Override
///     public boolean isPossible(List<Integer> model) {
///         return model.size() < CAPACITY;
///     }
///
///     @Override
///     public void run(List<Integer> model, Ring ring) {
///         model.addLast(value);
///         ring.add(value);
///     }
/// }
///
/// record Take() implements Command<List<Integer>, Ring> { … }
///
/// static final Commands<List<Integer>, Ring> COMMANDS =
///         Commands.<List<Integer>, Ring>none()
///                 .with(2, (choices, model) -> new Add(choices.intBetween(0, 9)))
///                 .with(1, (choices, model) -> new Take())
///                 .afterEach((model, ring) -> assertEquals(model.size(), ring.size()));
///
/// @Test
/// void aRingIsAQueue() {
///     Property.named("a ring is a queue")
///             .check(choices -> COMMANDS.run(choices, 50, new ArrayList<>(), new Ring(CAPACITY)));
/// }
/// ```
///
/// If the ring did not wrap around when it takes from its last slot, the report would be:
///
/// ```text
/// property "a ring is a queue" failed in try 1 of 1000
/// simplest case, after 9 steps in 324 attempts:
///     Add[value=0]
///     Add[value=0]
///     Add[value=0]
///     Take[]
///     Add[value=1]
///     Take[]
///     Take[]
///     Take[]
/// because of org.opentest4j.AssertionFailedError: expected: <1> but was: <0>
/// to repeat it: .seed(1L), or -Dheddle.seed=1
/// ```
///
/// **Thread:** immutable.
///
/// @param <M> the model: the plainest thing that behaves the same
/// @param <R> the real thing
public final class Commands<M, R> {
    /// Makes a command that fits the state of the model.
    ///
    /// @param <M> the model
    /// @param <R> the real thing
    @FunctionalInterface
    public interface Maker<M, R> {
        /// {@return a command; may draw what it needs, and look at the model but not change it}
        Command<? super M, ? super R> make(Choices choices, M model);
    }

    private record Entry<M, R>(int weight, Maker<M, R> maker) {}

    private final List<Entry<M, R>> entries;
    private final Command<? super M, ? super R> check;

    private Commands(List<Entry<M, R>> entries, Command<? super M, ? super R> check) {
        this.entries = List.copyOf(entries);
        this.check = check;
    }

    /// {@return no commands yet}
    public static <M, R> Commands<M, R> none() {
        return new Commands<>(List.of(), (_, _) -> {});
    }

    /// {@return these and one more}
    ///
    /// @param weight how often, compared with the others; at least 1
    public Commands<M, R> with(int weight, Maker<M, R> maker) {
        if (weight < 1) {
            throw new IllegalArgumentException("a weight is at least 1: " + weight);
        }
        var more = new ArrayList<>(entries);
        more.add(new Entry<>(weight, Objects.requireNonNull(maker, "maker")));
        return new Commands<>(more, check);
    }

    /// {@return the same, with what must hold before the first command and after each}
    public Commands<M, R> afterEach(Command<? super M, ? super R> newCheck) {
        return new Commands<>(entries, Objects.requireNonNull(newCheck, "newCheck"));
    }

    /// Runs up to `countMax` commands on both.
    ///
    /// @throws Exception what a command throws
    public void run(Choices choices, int countMax, M model, R real) throws Exception {
        if (entries.isEmpty()) {
            throw new IllegalStateException("no commands: add some by with(weight, maker)");
        }
        int[] weights = entries.stream().mapToInt(Entry::weight).toArray();
        check.run(model, real);
        choices.repeat(0, countMax, () -> step(choices, weights, model, real));
    }

    private void step(Choices choices, int[] weights, M model, R real) throws Exception {
        var command =
                choices.quietly(
                        () -> entries.get(choices.weighted(weights)).maker().make(choices, model));
        if (command.isPossible(model)) {
            choices.note(command);
            command.run(model, real);
            check.run(model, real);
        }
    }
}
