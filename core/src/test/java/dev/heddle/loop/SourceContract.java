package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Interest;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

/// What all sources have in common: references, life, closing, being seen; on every backend.
///
/// **Thread:** owner (the test runner).
abstract class SourceContract {
    private static final Duration FAR = Duration.ofDays(1);

    @RegisterExtension final LoopFixture fixture;

    SourceContract(Backend backend) {
        fixture = new LoopFixture(backend);
    }

    // L12
    @Test
    void walkInACallbackSeesTheTimerThatFires() throws IOException {
        var loop = fixture.open();
        var seen = new ArrayList<Source>();
        var timer = new Timer[1];
        timer[0] =
                loop.after(
                        Duration.ZERO,
                        () -> {
                            loop.walk(seen::add);
                            timer[0].close();
                        });

        loop.run();
        assertEquals(List.of(timer[0]), seen);

        loop.walk(seen::add);
        assertEquals(List.of(timer[0]), seen, "closed, so not seen again");
    }

    @Test
    void walkDoesNotSeeATimerThatHasFiredEarlierInTheTurn() throws IOException {
        var loop = fixture.open();
        var seen = new ArrayList<Source>();
        loop.after(Duration.ZERO, () -> {});
        var last = loop.after(Duration.ZERO, () -> loop.walk(seen::add));

        loop.runOnce();

        assertEquals(List.of(last), seen);
    }

    @Test
    void walkSeesEveryKindOfStartedSourceAndNoOther() throws IOException {
        var loop = fixture.open();
        var started = everyKind(loop, () -> {});
        loop.timer(() -> {});
        loop.after(FAR, () -> {}).stop();
        var seen = new ArrayList<Source>();

        loop.walk(seen::add);

        assertEquals(Set.copyOf(started), Set.copyOf(seen));
        assertEquals(started.size(), seen.size());
        started.forEach(Source::close);
        loop.run();
    }

    @Test
    void aWalkMayCloseWhatItSees() throws IOException {
        var loop = fixture.open();
        var closed = new AtomicInteger();
        int count = everyKind(loop, () -> {}).size();

        loop.walk(source -> source.close(closed::incrementAndGet));

        assertFalse(loop.run());
        assertEquals(count, closed.get());
    }

    // L17
    @Test
    void noCallbackIsCalledInsideTheCallThatCausesIt() throws IOException {
        var loop = fixture.open(options -> options.workers(Runnable::run));
        var inside = new boolean[1];
        var trail = new TreeSet<String>();
        var watch = new Watch[1];
        loop.post(
                () -> {
                    inside[0] = true;
                    loop.post(note(trail, "task", inside));
                    loop.after(Duration.ZERO, note(trail, "timer", inside));
                    loop.timer(() -> {}).close(note(trail, "closed", inside));
                    var async = new Async[1];
                    var sent = note(trail, "async", inside);
                    async[0] = loop.async(() -> closing(async[0], sent));
                    async[0].send();
                    watch[0] = watchReadable(loop, note(trail, "watch", inside));
                    hook(loop, Hook.Place.IDLE, note(trail, "idle", inside));
                    hook(loop, Hook.Place.PREPARE, note(trail, "prepare", inside));
                    hook(loop, Hook.Place.CHECK, note(trail, "check", inside));
                    // Runs the work at once, on this thread; not its completion.
                    var done = note(trail, "done", inside);
                    loop.submit(() -> 1, (_, _) -> done.run());
                    inside[0] = false;
                });
        while (trail.size() < 9) {
            loop.runOnce();
        }

        watch[0].close();
        loop.run();
        assertEquals(
                Set.of(
                        "task", "timer", "closed", "async", "watch", "idle", "prepare", "check",
                        "done"),
                trail);
    }

    // L18
    @Test
    void unreferencedSourcesOfEveryKindLetTheLoopEndAtOnce() throws IOException {
        var loop = fixture.open();
        var calls = new AtomicInteger();
        var sources = everyKind(loop, calls::incrementAndGet);
        assertTrue(loop.alive());

        sources.forEach(Source::unref);

        assertFalse(loop.alive());
        assertFalse(loop.run());
        assertEquals(0, calls.get());
        assertTrue(sources.stream().allMatch(Source::isActive), "still started");
        // Stops them, or the descriptor would still be watched when it is closed.
        loop.close();
        assertTrue(sources.stream().noneMatch(Source::isActive));
    }

    // L21
    @Test
    void closingAnUnreferencedSourceStillCallsBack() throws IOException {
        var loop = fixture.open();
        var closed = new AtomicInteger();
        var timer = loop.after(FAR, () -> {});
        timer.unref();

        timer.close(closed::incrementAndGet);
        assertEquals(0, closed.get());

        assertFalse(loop.run());
        assertEquals(1, closed.get());
    }

    // L22
    @Test
    void refAndUnrefAreFlagsNotCounts() throws IOException {
        var loop = fixture.open();
        var timer = loop.after(FAR, () -> {});
        assertTrue(timer.hasRef());
        timer.ref();
        timer.ref();
        timer.unref();
        assertFalse(timer.hasRef());
        assertFalse(loop.alive());

        timer.unref();
        timer.ref();
        assertTrue(timer.hasRef());
        assertTrue(loop.alive());
        timer.stop();
    }

    @Test
    void aReferenceCountsOnlyWhileTheSourceIsStarted() throws IOException {
        var loop = fixture.open();
        var timer = loop.timer(() -> {});
        timer.unref();
        timer.start(FAR);
        assertFalse(loop.alive());
        timer.ref();
        assertTrue(loop.alive());
        timer.stop();
        assertFalse(loop.alive());
        timer.unref();
        timer.ref();
        assertFalse(loop.alive());
    }

    // L23
    @Test
    void aSourceSaysWhetherItIsActiveClosingOrClosed() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        var timer = loop.timer(() -> {});
        trail.add(state(timer));
        timer.start(FAR);
        trail.add(state(timer));
        timer.stop();
        trail.add(state(timer));
        timer.start(FAR);
        trail.add(state(timer));
        timer.close(() -> trail.add("told " + state(timer)));
        trail.add(state(timer));
        loop.run();
        trail.add(state(timer));

        assertEquals(
                List.of(
                        "",
                        "active",
                        "",
                        "active",
                        "closing",
                        "told closing, closed",
                        "closing, closed"),
                trail);
    }

    @Test
    void closingTwiceTellsOnlyTheFirst() throws IOException {
        var loop = fixture.open();
        var trail = new ArrayList<String>();
        var timer = loop.after(FAR, () -> {});

        timer.close(() -> trail.add("first"));
        timer.close(() -> trail.add("second"));
        timer.close();

        loop.run();
        assertEquals(List.of("first"), trail);
    }

    @Test
    void aClosedSourceCannotBeStarted() throws IOException {
        var loop = fixture.open();
        var hook = loop.onCheck(() -> {});
        hook.close();

        var refused = assertThrows(IllegalStateException.class, hook::start);

        assertTrue(refused.getMessage().startsWith("closed: Hook(CHECK"), refused::getMessage);
        loop.run();
    }

    private static String state(Source source) {
        return (source.isActive() ? "active" : "")
                + (source.isClosing() ? "closing" : "")
                + (source.isClosed() ? ", closed" : "");
    }

    private static Runnable note(Set<String> trail, String name, boolean[] inside) {
        return () -> {
            assertFalse(inside[0], name);
            trail.add(name);
        };
    }

    private static void closing(Source source, Runnable then) {
        source.close();
        then.run();
    }

    private static void hook(Loop loop, Hook.Place place, Runnable callback) {
        var hook = new Hook[1];
        Runnable once = () -> closing(hook[0], callback);
        hook[0] =
                switch (place) {
                    case IDLE -> loop.onIdle(once);
                    case PREPARE -> loop.onPrepare(once);
                    case CHECK -> loop.onCheck(once);
                };
    }

    /// {@return one started source of each kind, none of which fires by itself}
    private List<Source> everyKind(Loop loop, Runnable callback) throws IOException {
        return List.of(
                loop.after(FAR, callback),
                loop.onIdle(callback),
                loop.onPrepare(callback),
                loop.onCheck(callback),
                loop.async(callback),
                loop.onSignal("WINCH", callback),
                loop.watch(fixture.silent(), Interest.READ, (_, _) -> callback.run()));
    }

    private Watch watchReadable(Loop loop, Runnable callback) {
        try {
            return loop.watch(fixture.readable(), Interest.READ, (_, _) -> callback.run());
        } catch (IOException cause) {
            throw new AssertionError(cause);
        }
    }
}
