package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;

/// Watching a handle for its loss disturbs nobody.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class MakingScopesTest {
    private static final int PROGRAMS = 1500;
    private static final int SCOPES = 200;

    // A lock shared with the thread that notices would now and then park the coroutine in the JDK;
    // with nothing else to do, virtual time would pass.
    @Test
    void makingAScopeIsNoSuspensionPointWhateverTheCollectorDoes() {
        for (int i = 0; i < PROGRAMS; i++) {
            var world = World.virtual();
            world.run(
                    () -> {
                        var timer = spawn(() -> delay(Duration.ofHours(1)));
                        await(spawn(MakingScopesTest::makeScopes));
                        timer.cancel();
                    });
            assertEquals(Duration.ZERO, world.elapsed(), "program " + i);
        }
    }

    private static void makeScopes() {
        for (int i = 0; i < SCOPES; i++) {
            new Scope().close();
        }
    }
}
