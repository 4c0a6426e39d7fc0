package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// What goes wrong is there for whoever records.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class RecorderTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String MAIN = "Coroutine #1 \"main\"";

    @TempDir private Path folder;

    private List<RecordedEvent> recorded(String name, Runnable program) throws IOException {
        Path file = folder.resolve("recording.jfr");
        try (var recording = new Recording()) {
            recording.enable(name);
            recording.start();
            program.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }

    @Test
    void aDeadlockIsAnEvent() throws IOException {
        var world = World.virtual();

        var events =
                recorded(
                        "heddle.Deadlock",
                        () ->
                                assertThrows(
                                        DeadlockError.class,
                                        () ->
                                                world.run(
                                                        () ->
                                                                await(
                                                                        new Promise<String>()
                                                                                .deferred()))));

        assertEquals(1, events.size());
        assertEquals(1, events.getFirst().getInt("members"));
        assertTrue(events.getFirst().getString("report").contains("\"main\""));
    }

    @Test
    void aZombieIsAnEvent() throws IOException {
        var world = World.virtual();

        var events =
                recorded(
                        "heddle.Zombie",
                        () ->
                                world.run(
                                        () -> {
                                            var scope = new Scope();
                                            scope.spawn("left", () -> delay(SECOND));
                                            suspend();
                                            scope.close();
                                        }));

        assertEquals(1, events.size());
        assertEquals("Coroutine #2 \"left\"", events.getFirst().getString("coroutine"));
        assertEquals("scope closed", events.getFirst().getString("reason"));
        assertTrue(events.getFirst().getString("stack").contains("RecorderTest"));
    }

    @Test
    void anUnansweredCancellationIsAnEvent() throws IOException {
        var world = World.virtual();

        var events =
                recorded(
                        "heddle.UnansweredCancellation",
                        () ->
                                world.run(
                                        () -> {
                                            var slow = spawn("slow", RecorderTest::cleanUpSlowly);
                                            suspend();
                                            slow.cancel("enough");
                                            delay(SECOND.multipliedBy(3));
                                        }));

        assertEquals(1, events.size());
        assertEquals("Coroutine #2 \"slow\"", events.getFirst().getString("coroutine"));
        assertEquals("enough", events.getFirst().getString("reason"));
        assertEquals(1, events.getFirst().getInt("windows"));
    }

    private static void cleanUpSlowly() {
        try {
            delay(SECOND);
        } finally {
            delay(SECOND.multipliedBy(2));
        }
    }

    @Test
    void aBlockedLoopIsAnEvent() throws IOException {
        var world = World.real().with(options -> options.blockedAfter(Duration.ofMillis(20)));

        var events =
                recorded(
                        "heddle.BlockedLoop",
                        () ->
                                world.run(
                                        () -> {
                                            while (!isReported(world)) {
                                                Thread.onSpinWait();
                                            }
                                        }));

        assertTrue(
                events.stream().anyMatch(each -> each.getString("coroutine").equals(MAIN)),
                events.toString());
    }

    private static boolean isReported(World world) {
        return world.reports().stream().anyMatch(each -> each.text().startsWith(MAIN));
    }
}
