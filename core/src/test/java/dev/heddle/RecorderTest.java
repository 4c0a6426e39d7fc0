package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jdk.jfr.Event;
import jdk.jfr.Name;
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
import java.util.HashSet;
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

    @Test
    void whatACoroutineDoesIsRecordedUnderItsNameHoweverManyThereWere() throws IOException {
        var world = World.real();

        var events =
                recorded(
                        "heddle.test.Mark",
                        () ->
                                world.run(
                                        () -> {
                                            for (int i = 0; i < 20; i++) {
                                                String name = i % 2 == 0 ? "guest " + i : null;
                                                await(
                                                        name == null
                                                                ? spawn(RecorderTest::mark)
                                                                : spawn(name, RecorderTest::mark));
                                            }
                                        }));

        assertEquals(20, events.size());
        assertEquals(20, events.stream().map(RecorderTest::threadOf).distinct().count());
        for (var event : events) {
            assertEquals(event.getString("coroutine"), event.getThread().getJavaName());
        }
    }

    private static long threadOf(RecordedEvent event) {
        return event.getThread().getJavaThreadId();
    }

    private static void mark() {
        var mark = new Mark();
        mark.coroutine = Heddle.current().name();
        mark.commit();
    }

    @Name("heddle.test.Mark")
    private static final class Mark extends Event {
        private String coroutine = "";
    }

    @Test
    void whenARecordingHasEndedThreadsAreUsedAgain() throws IOException {
        var world = World.real();
        recorded("heddle.test.Mark", () -> world.run(RecorderTest::mark));

        world.run(
                () -> {
                    var threads = new HashSet<Thread>();
                    for (int i = 0; i < 20; i++) {
                        await(spawn(() -> threads.add(Thread.currentThread())));
                    }
                    assertEquals(1, threads.size());
                });
    }

    @Test
    void aRecordingThatBeginsMeanwhileIsNoticedByTheWatchdog() {
        World.real()
                .run(
                        () -> {
                            var scheduler = Heddle.current().scheduler();
                            var watchdog = new Watchdog(scheduler);
                            assertTrue(scheduler.strands.reuse());
                            try (var recording = new Recording()) {
                                recording.start();
                                watchdog.look();
                                assertFalse(scheduler.strands.reuse());
                            }
                            watchdog.look();
                            assertTrue(scheduler.strands.reuse());
                        });
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
