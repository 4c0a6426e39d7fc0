package dev.heddle;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// One way in which a coroutine can live: what it does, who looks, and what is done to it where.
///
/// **Thread:** immutable.
record LifeCase(
        Form form,
        Where where,
        Body body,
        Awaiter awaiter,
        Cancel cancel,
        Home home,
        Dispose dispose) {
    /// What is around its body, or below it.
    enum Form {
        PLAIN,
        /// It owns a resource.
        OWNER,
        /// It owns one whose close fails.
        BRITTLE_OWNER,
        /// Its body is a block with a child, which goes on until the subject is free and longer.
        HOST,
        /// The same, and the child fails if it is cut off.
        HOST_OF_UNTIDY,
        /// The same as a host, but all of it inside a shield.
        SHIELDED_HOST,
        /// Its body has a limit, which ends while it cleans up; then it goes on with a plan B.
        LIMITED,
        /// It spawns when it is cut off, and waits for that.
        SPAWNS_IN_CLEAN_UP,
        /// It is one of those that end with the others.
        DAEMON,
        /// Its body is a block with such a child.
        HOST_OF_DAEMON
    }

    /// Where it is when something is done to it.
    enum Where {
        QUEUED,
        RUNNING,
        IN_A_WAIT,
        IN_SUSPEND,
        WOKEN,
        PROTECTED,
        IN_CLEAN_UP,
        IN_THE_JDK
    }

    /// How its body ends; if it is cut off, it lets the cancellation pass, but for two kinds.
    enum Body {
        VALUE,
        UNCHECKED,
        CHECKED,
        ERROR,
        FOREIGN_CANCELLATION,
        SWALLOWS,
        UNTIDY
    }

    /// Who looks at its end.
    enum Awaiter {
        NOBODY,
        BEFORE,
        AFTER,
        LEFT_BY_TOKEN,
        MARKED_OBSERVED,
        HANDLER
    }

    /// How often it is cancelled itself.
    enum Cancel {
        NEVER,
        ONCE,
        TWICE,
        AFTER_THE_END
    }

    /// The scope it lives in. The safe one has a handler of errors; the inherited one has none, but
    /// its parent has.
    enum Home {
        ROOT,
        STRUCTURED,
        SUPERVISED,
        SAFE,
        NOT_SAFE,
        INHERITED
    }

    /// What is done to that scope, before the coroutine itself is cancelled.
    enum Dispose {
        NOT,
        SAFELY,
        SAFELY_THEN_FOR_REAL
    }

    static List<LifeCase> all() {
        return Stream.of(Form.values())
                .flatMap(form -> all(form).stream())
                .filter(LifeCase::isPossible)
                .toList();
    }

    private static List<LifeCase> all(Form form) {
        var cases = new ArrayList<LifeCase>();
        for (var where : Where.values()) {
            for (var body : Body.values()) {
                for (var awaiter : Awaiter.values()) {
                    for (var cancel : Cancel.values()) {
                        for (var home : Home.values()) {
                            for (var dispose : Dispose.values()) {
                                cases.add(
                                        new LifeCase(
                                                form, where, body, awaiter, cancel, home, dispose));
                            }
                        }
                    }
                }
            }
        }
        return cases;
    }

    private boolean isPossible() {
        // Nobody can wait and leave again before it has run at all.
        boolean tooEarly = where == Where.QUEUED || where == Where.RUNNING;
        // The root is nobody's to dispose of, and a block makes no zombies.
        boolean indisposable = home == Home.ROOT || isBlock();
        return !(awaiter == Awaiter.LEFT_BY_TOKEN && tooEarly)
                && !(dispose != Dispose.NOT && indisposable)
                && (form == Form.PLAIN || isPossibleIn(form));
    }

    private boolean isBlock() {
        return home == Home.STRUCTURED || home == Home.SUPERVISED;
    }

    // Who looks, and how often it is cancelled, is no other thing with a form around the body: the
    // product would only grow.
    private boolean isPossibleIn(Form in) {
        boolean usual =
                (awaiter == Awaiter.NOBODY || awaiter == Awaiter.BEFORE)
                        && (cancel == Cancel.NEVER || cancel == Cancel.ONCE);
        // In a shield nobody cleans up, and it needs no second one.
        boolean shieldable = where != Where.IN_CLEAN_UP && where != Where.PROTECTED;
        // Which of two failures comes first depends on who wakes first, and is no promise.
        boolean oneFailure = body != Body.UNTIDY || dispose != Dispose.SAFELY_THEN_FOR_REAL;
        return usual
                && (in != Form.DAEMON || isBlock())
                && (in != Form.SHIELDED_HOST || shieldable)
                && (in != Form.HOST_OF_UNTIDY || oneFailure);
    }
}
