package dev.heddle;

import java.util.ArrayList;
import java.util.List;

/// One way in which a coroutine can live: what it does, who looks, and what is done to it where.
///
/// **Thread:** immutable.
record LifeCase(
        Where where, Body body, Awaiter awaiter, Cancel cancel, Home home, Dispose dispose) {
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
        var cases = new ArrayList<LifeCase>();
        for (var where : Where.values()) {
            for (var body : Body.values()) {
                for (var awaiter : Awaiter.values()) {
                    for (var cancel : Cancel.values()) {
                        for (var home : Home.values()) {
                            for (var dispose : Dispose.values()) {
                                cases.add(
                                        new LifeCase(where, body, awaiter, cancel, home, dispose));
                            }
                        }
                    }
                }
            }
        }
        return cases.stream().filter(LifeCase::isPossible).toList();
    }

    private boolean isPossible() {
        // Nobody can wait and leave again before it has run at all.
        boolean tooEarly = where == Where.QUEUED || where == Where.RUNNING;
        // The root is nobody's to dispose of, and a block makes no zombies.
        boolean indisposable = home == Home.ROOT || home == Home.STRUCTURED;
        return !(awaiter == Awaiter.LEFT_BY_TOKEN && tooEarly)
                && !(dispose != Dispose.NOT && indisposable);
    }
}
