package dev.heddle.loop;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.util.Set;

/// Waits after each test for the workers that it brought into the world, which end soon after their
/// pool is closed. A pool that is not closed is a test that does not end.
///
/// **Thread:** owner (the test runner).
final class NewWorkers implements BeforeEachCallback, AfterEachCallback {
    private Set<Thread> before = Set.of();

    @Override
    public void beforeEach(ExtensionContext context) {
        before = Thread.getAllStackTraces().keySet();
    }

    @Override
    public void afterEach(ExtensionContext context) throws InterruptedException {
        for (var thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("heddle-worker-") && !before.contains(thread)) {
                thread.join();
            }
        }
    }
}
