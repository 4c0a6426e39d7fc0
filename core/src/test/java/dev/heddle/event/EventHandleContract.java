package dev.heddle.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.testing.Bystander;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/// What an [EventHandle] promises, on every backend.
///
/// **Thread:** owner (the test runner).
abstract class EventHandleContract extends PollTestCase {
    EventHandleContract(Backend backend) {
        super(backend);
    }

    @Test
    void closingItReleasesTheEventOnce() {
        var poll = poll();
        var handle = new EventHandle<>(poll);
        assertTrue(poll.is(Event.REFERENCE));
        assertSame(poll, handle.event());
        poll.retain();

        handle.close();
        handle.close();

        assertTrail();
        assertTrue(handle.isClosed());
        assertThrows(IllegalStateException.class, handle::event);
        poll.release();
        assertTrail("closed by main thread true");
    }

    @Test
    void closedOnAnotherThreadItIsReleasedByTheLoop() throws IOException {
        var poll = poll();
        var handle = new EventHandle<>(poll);
        poll.start();

        Bystander.doing(handle::close).close();

        assertFalse(poll.isDisposed());
        loop.runNowait();
        assertTrail("closed by main thread true");
    }

    @Test
    void oneThatIsLostIsReleasedByTheLoopAndAWarningSaysWhereItWasOpened() throws IOException {
        try (var log = new Log()) {
            var poll = poll();
            lose(poll);
            poll.start();

            runUntil(
                    () -> {
                        System.gc();
                        return poll.isDisposed() && log.says(poll.info());
                    });

            assertTrail("closed by main thread true");
            var record = log.find(poll.info());
            assertEquals(poll.info() + " was dropped without close()", record.getMessage());
            var frames = Arrays.stream(record.getThrown().getStackTrace());
            assertTrue(frames.anyMatch(frame -> frame.getMethodName().equals("lose")));
            assertNotSame(Thread.currentThread(), log.threads.getFirst());
        }
    }

    @Test
    void oneThatWasClosedIsNotWarnedAbout() throws IOException {
        try (var log = new Log()) {
            open(new Trigger(loop, "closed")).close();
            var lost = new Trigger(loop, "lost");
            lose(lost);
            runUntil(
                    () -> {
                        System.gc();
                        return lost.isDisposed() && log.says("Trigger(\"lost\")");
                    });

            assertFalse(log.says("Trigger(\"closed\")"));
        }
    }

    @Test
    void oneThatIsClosedAfterItsLoopStillClosesItsDescriptor() throws IOException {
        var poll = poll();
        poll.hide();
        var handle = new EventHandle<>(poll);
        poll.start();
        endLoop();

        Bystander.doing(handle::close).close();

        assertTrail("closed by main thread false");
    }

    @Test
    void everyKindCanBeClosedAfterItsLoop() throws IOException {
        var events =
                List.of(
                        new Trigger(loop, "t"),
                        TimerEvent.once(loop, Duration.ofDays(1)),
                        new SignalEvent(loop, "WINCH"),
                        new PollProxy(new PollEvent(loop, descriptors.wire().fd(), NONE), READ),
                        new WorkEvent<>(loop, "w", () -> "1"));
        for (var event : events) {
            if (!(event instanceof WorkEvent)) {
                if (event instanceof PollProxy proxy) {
                    proxy.poll().hide();
                }
                event.hide();
                event.start();
            }
        }
        var handles = events.stream().map(event -> new EventHandle<Event<?>>(event)).toList();
        endLoop();

        Bystander.doing(() -> handles.forEach(EventHandle::close)).close();

        for (var event : events) {
            assertTrue(event.isDisposed(), event.info());
        }
    }

    @Test
    void aLoopThatShutsDownStillReleasesWhatWasPosted() throws IOException {
        var poll = poll();
        var handle = new EventHandle<>(poll);
        Bystander.doing(handle::close).close();

        shutDownLoop();

        assertTrail("closed by main thread true");
    }

    @Test
    void anEventThatIsGoneGetsNoHandle() {
        var poll = poll();
        poll.dispose();
        trail.clear();
        assertThrows(IllegalStateException.class, () -> new EventHandle<>(poll));
    }

    @Test
    void itSaysWhatItIsAHandleOf() {
        var trigger = new Trigger(loop, "t");
        var handle = new EventHandle<>(trigger);
        assertEquals("handle of Trigger(\"t\")", handle.toString());
        handle.close();
        assertEquals("handle of Trigger(\"t\"), closed", handle.toString());
    }

    private PollEvent poll() {
        var main = Thread.currentThread();
        return new PollEvent(loop, descriptors.wire().fd(), READ)
                .closeFd(
                        () ->
                                trail.add(
                                        "closed by main thread "
                                                + (Thread.currentThread() == main)));
    }

    private static EventHandle<?> open(Event<?> event) {
        return new EventHandle<>(event);
    }

    // A method of its own, so that nothing on the stack holds the handle.
    private static void lose(Event<?> event) {
        assertFalse(open(event).isClosed());
    }

    /// What is logged while it is open.
    private static final class Log extends Handler implements AutoCloseable {
        final List<LogRecord> records = new CopyOnWriteArrayList<>();
        final List<Thread> threads = new CopyOnWriteArrayList<>();
        private final Logger logger = Logger.getLogger("dev.heddle.event");

        Log() {
            logger.addHandler(this);
            logger.setUseParentHandlers(false);
        }

        boolean says(String what) {
            return records.stream().anyMatch(record -> record.getMessage().startsWith(what));
        }

        LogRecord find(String what) {
            return records.stream()
                    .filter(record -> record.getMessage().startsWith(what))
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        public void publish(LogRecord record) {
            threads.add(Thread.currentThread());
            records.add(record);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
            logger.setUseParentHandlers(true);
        }
    }
}
