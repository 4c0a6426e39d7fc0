package dev.heddle;

import static dev.heddle.Heddle.delay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.function.Executable;

import java.time.Duration;
import java.util.List;

/// Scopes say what is wrong with a call, and stay as they were.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class ScopeBadInputTest {
    private static final ContextKey<String> KEY = ContextKey.named("key");

    private final World world = World.virtual();

    @Test
    void whatChangesAScopeIsRefusedOnAnotherLoopNamingBoth() {
        World.real()
                .run(
                        () -> {
                            var scope = new Scope().named("far");
                            String far = Heddle.current().loop().toString();
                            Heddle.offload(
                                    () -> World.virtual().run(() -> assertRefused(scope, far)));
                            assertUnchanged(scope);
                        });
    }

    private static void assertRefused(Scope scope, String far) {
        String here = Heddle.current().loop().toString();
        for (var call : changes(scope)) {
            String message = assertThrows(WrongLoopException.class, call).getMessage();
            assertTrue(message.contains(far) && message.contains(here), message);
        }
    }

    @Test
    void whatChangesAScopeIsRefusedOnAnotherThreadAndAfterTheEnd() {
        var kept = new Scope[1];
        World.real()
                .run(
                        () -> {
                            var scope = new Scope().named("far");
                            kept[0] = scope;
                            Heddle.offload(
                                    () -> {
                                        for (var call : changes(scope)) {
                                            assertThrows(WrongThreadException.class, call);
                                        }
                                    });
                            assertUnchanged(scope);
                        });

        for (var call : changes(kept[0])) {
            String message = assertThrows(IllegalStateException.class, call).getMessage();
            assertTrue(message.contains("after the program has ended"), message);
        }
    }

    private static List<Executable> changes(Scope scope) {
        return List.of(
                () -> scope.named("other"),
                scope::asNotSafely,
                () -> scope.closeAfter(Duration.ofSeconds(1)),
                () -> scope.onException((_, _) -> {}),
                () -> scope.onChildScopeException((_, _) -> {}),
                () -> scope.onFinally(_ -> {}),
                () -> scope.set(KEY, "value"),
                () -> scope.replace(KEY, "value"),
                () -> Scope.inherit(scope));
    }

    private static void assertUnchanged(Scope scope) {
        assertEquals("far", scope.name());
        assertTrue(scope.isSafe());
        scope.spawn(() -> assertTrue(KEY.find().isEmpty())).await();
        scope.close();
    }

    @Test
    void aTokenThatIsMissingIsNamed() {
        world.run(
                () -> {
                    try (var scope = new Scope()) {
                        var refused =
                                assertThrows(
                                        NullPointerException.class,
                                        () -> scope.awaitCompletion(null));
                        assertEquals("token", refused.getMessage());
                    }
                });
    }

    @Test
    void aClosedScopeHasNoMoreChildren() {
        world.run(
                () -> {
                    var closed = new Scope().named("orders");
                    closed.dispose();

                    String message =
                            assertThrows(IllegalStateException.class, () -> Scope.inherit(closed))
                                    .getMessage();

                    assertTrue(
                            message.startsWith(
                                    "Cannot make a child scope in a closed scope: Scope #2"
                                            + " \"orders\""),
                            message);
                });
    }

    @Test
    void waitingInAHandlerOfErrorsIsRefusedAsInEveryCallback() {
        world.run(
                () -> {
                    try (var scope = new Scope().onException((_, _) -> sayWhyNot())) {
                        scope.spawn(
                                () -> {
                                    throw new IllegalArgumentException("on purpose");
                                });
                        scope.awaitCompletion();
                    }
                });

        assertEquals(1, world.trail.size());
        String message = world.trail.getFirst();
        assertTrue(message.startsWith("delay inside a callback, which must not wait"), message);
    }

    private void sayWhyNot() {
        var refused = assertThrows(IllegalStateException.class, () -> delay(Duration.ofSeconds(1)));
        world.say(String.valueOf(refused.getMessage()));
    }
}
