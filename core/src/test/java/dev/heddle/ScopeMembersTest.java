package dev.heddle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.List;

/// A scope lets go of those who have ended: one that lives as long as a server must not collect
/// them. Nothing else shows it but memory, so this looks inside.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class ScopeMembersTest {
    @Test
    void scopeForgetsWhoHasEnded() {
        var world = World.virtual();
        world.run(
                () -> {
                    try (var scope = new Scope().asNotSafely()) {
                        var first = scope.spawn(() -> Heddle.delay(Duration.ofMillis(1)));
                        var second = scope.spawn(() -> Heddle.delay(Duration.ofMillis(2)));
                        world.say(isThere(scope, first) + " " + isThere(scope, second));
                        first.await();
                        world.say(isThere(scope, first) + " " + isThere(scope, second));
                        second.await();
                        world.say(isThere(scope, first) + " " + isThere(scope, second));
                    }
                });
        assertEquals(List.of("true true", "false true", "false false"), world.trail);
    }

    private static boolean isThere(Scope scope, Coroutine<?> coroutine) {
        return scope.node().has(coroutine);
    }
}
