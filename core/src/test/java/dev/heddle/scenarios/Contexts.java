package dev.heddle.scenarios;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.heddle.ContextKey;
import dev.heddle.Scope;
import dev.heddle.test.TestWorld;

/// Values that coroutines find around them.
final class Contexts {
    private static final ContextKey<String> USER = ContextKey.named("user");

    private Contexts() {}

    static final class ScopesBindForTheirCoroutines extends Story {
        @Override
        public void run(TestWorld world) {
            Scope.run(
                    outer -> {
                        outer.set(USER, "outer");
                        spawn(() -> say(later(1)));
                        Scope.run(
                                inner -> {
                                    inner.set(USER, "inner").replace(USER, "changed");
                                    spawn(() -> say(later(2)));
                                });
                    });
            say(USER.find().orElse("none"));
        }

        private static String later(int millis) {
            delay(ms(millis));
            return USER.get();
        }

        @Override
        void expect() {
            assertEquals("[outer, changed, none]", trail.toString());
        }
    }

    static final class CoroutinesBindForThemselves extends Story {
        private boolean mixedUp;

        @Override
        public void run(TestWorld world) {
            Scope.run(
                    scope -> {
                        scope.replace(USER, "all");
                        for (int i = 0; i < 4; i++) {
                            String name = "user " + i;
                            spawn(() -> work(name));
                        }
                        say(USER.get() + USER.findLocal().isPresent());
                    });
        }

        private void work(String name) {
            USER.set(name);
            for (int i = 0; i < 3; i++) {
                suspend();
                mixedUp |= !USER.get().equals(name);
                USER.replace(name);
            }
        }

        @Override
        void expect() {
            assertEquals("[allfalse]", trail.toString());
        }

        @Override
        public void verify() {
            assertFalse(mixedUp, "one saw what another had bound");
        }
    }

    static final class ChildScopesSeeTheirParents extends Story {
        @Override
        public void run(TestWorld world) {
            try (var parent = newScope().asNotSafely().set(USER, "parent")) {
                var child = Scope.inherit(parent);
                say(child.spawn(() -> USER.get()).await());
                child.replace(USER, "child");
                say(child.spawn(() -> USER.get()).await() + parent.spawn(USER::get).await());
            }
        }

        @Override
        void expect() {
            assertEquals("[parent, childparent]", trail.toString());
        }
    }
}
