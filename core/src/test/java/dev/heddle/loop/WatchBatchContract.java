package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.testing.Wire;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// What callbacks may do to watches whose events were fetched together with their own: anything,
/// and nothing is told to a watch that did not want it at that moment. On every backend.
///
/// The order of a batch is the kernel's, so each test looks at who came first.
///
/// **Thread:** owner (the test runner).
abstract class WatchBatchContract extends WatchTestCase {
    private static final int MANY = 20;

    private final List<Wire> wires = new ArrayList<>();
    private final List<Watch> watches = new ArrayList<>();

    WatchBatchContract(Backend backend) {
        super(backend);
    }

    @Test
    void aCallbackMayStopAllOthersAndNoneOfThemIsCalled() throws IOException {
        watchMany(_ -> watches.forEach(Watch::stop));

        assertEquals(1, turn().size());

        assertFalse(loop.alive());
        assertEquals(List.of(), turn());
    }

    @Test
    void aCallbackMayCloseAllOthersAndNoneOfThemIsCalled() throws IOException {
        var closed = new ArrayList<Watch>();
        watchMany(_ -> watches.forEach(watch -> watch.close(() -> closed.add(watch))));

        assertEquals(1, turn().size());
        assertFalse(loop.run());

        assertEquals(watches, closed);
        assertEquals(1, trail.size());
    }

    @Test
    void aCallbackMayStopItself() throws IOException {
        watchMany(Watch::stop);

        assertEquals(MANY, turn().size());

        assertFalse(loop.alive());
    }

    @ParameterizedTest
    @ValueSource(ints = {NONE, WRITE, PRIORITY, LEVEL})
    void aCallbackMayTakeAwayTheOthersInterestInWhatWasFetched(int interest) throws IOException {
        watchMany(
                self -> {
                    for (var watch : watches) {
                        if (watch != self) {
                            start(watch, interest);
                        }
                    }
                });
        wires.forEach(Wire::fill);

        assertEquals(1, turn().size(), "only the first of the batch is called");

        end(loop, watches.toArray(Source[]::new));
    }

    @Test
    void aWatchThatIsStoppedAndStartedAgainIsToldAnew() throws IOException {
        var acted = new AtomicBoolean();
        watchMany(
                self -> {
                    boolean first = !acted.getAndSet(true);
                    for (var watch : watches) {
                        if (first && watch != self) {
                            watch.stop();
                            start(watch, READ);
                        }
                    }
                });

        assertEquals(1, turn().size(), "what was fetched for the old start is void");
        assertEquals(MANY - 1, turn().size(), "and reported for the new one");

        end(loop, watches.toArray(Source[]::new));
    }

    @Test
    void aNumberThatIsUsedAgainWithinTheBatchHearsNothingOfItsPredecessor() throws IOException {
        var successors = new ArrayList<Watch>();
        var newWires = new ArrayList<Wire>();
        watchMany(
                self -> {
                    for (int i = 0; i < MANY; i++) {
                        var watch = watches.get(i);
                        if (watch != self && successors.size() < MANY - 1) {
                            watch.close();
                            wires.get(i).close();
                            newWires.add(descriptors.wireWithNumber(watch.fd()));
                            successors.add(begin(watch.fd(), noting("new " + watch.fd())));
                        }
                    }
                });

        assertEquals(1, turn().size());
        assertEquals(List.of(), turn(), "nothing was sent to the new owners of the numbers");
        newWires.forEach(Wire::send);
        var expected =
                new ArrayList<>(
                        successors.stream().map(watch -> "new " + watch.fd() + ":READ").toList());
        var seen = new ArrayList<>(turn());
        seen.sort(null);
        expected.sort(null);
        assertEquals(expected, seen);

        successors.forEach(Watch::close);
        end(loop, watches.toArray(Source[]::new));
    }

    @Test
    void aCallbackMayStartNewWatchesWhichAreReportedInALaterTurn() throws IOException {
        var late = descriptors.wire();
        late.send();
        var started = new ArrayList<Watch>();
        var wire = descriptors.wire();
        var watch =
                loop.watch(
                        wire.fd(),
                        READ,
                        (_, _) -> {
                            trail.add("first");
                            started.add(begin(late.fd(), noting("late")));
                        });
        wire.send();

        assertEquals(List.of("first"), turn());
        assertEquals(List.of("late:READ"), turn());

        started.forEach(Watch::close);
        end(loop, watch);
    }

    @Test
    void aCallbackThatThrowsIsReportedAndTheRestOfTheBatchIsCalled() throws IOException {
        watchMany(
                self -> {
                    self.stop();
                    throw new IllegalStateException("broken");
                });

        var seen = turn();

        assertEquals(2 * MANY, seen.size());
        assertEquals(
                MANY,
                seen.stream().filter("java.lang.IllegalStateException: broken"::equals).count());
        assertEquals(MANY, loop.stats().errors());
        assertFalse(loop.alive());
    }

    @Test
    void aStopOfTheLoopInACallbackStillTellsTheRestOfTheBatch() throws IOException {
        watchMany(
                self -> {
                    loop.stop();
                    self.stop();
                });

        trail.clear();
        loop.run();

        assertEquals(MANY, trail.size());
    }

    @Test
    void moreEventsThanOneBatchHoldsAreAllReportedOnce() throws IOException {
        int count = 600;
        var seen = new ArrayList<Integer>();
        var expected = new ArrayList<Integer>();
        for (int i = 0; i < count; i++) {
            var wire = descriptors.wire();
            wire.send();
            expected.add(wire.fd());
            watches.add(
                    loop.watch(
                            wire.fd(),
                            READ,
                            (watch, _) -> {
                                seen.add(watch.fd());
                                watch.stop();
                            }));
        }

        assertFalse(loop.run());

        seen.sort(null);
        assertEquals(expected, seen);
        assertTrue(loop.stats().polls() >= 3, "a batch has a limit");
    }

    /// Watches many wires, each with something to read; each callback notes itself and then acts.
    private void watchMany(Consumer<Watch> action) throws IOException {
        for (int i = 0; i < MANY; i++) {
            var wire = descriptors.wire();
            wires.add(wire);
            watches.add(
                    loop.watch(
                            wire.fd(),
                            READ,
                            (watch, ready) -> {
                                noting("fd " + watch.fd()).onReady(watch, ready);
                                action.accept(watch);
                            }));
        }
        wires.forEach(Wire::send);
    }

    private static void start(Watch watch, int interest) {
        try {
            watch.start(interest);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private Watch begin(int fd, Watch.Listener listener) {
        try {
            return loop.watch(fd, READ, listener);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }
}
