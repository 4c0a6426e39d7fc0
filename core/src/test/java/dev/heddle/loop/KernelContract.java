package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Interest;
import dev.heddle.test.kernel.CountingSys;
import dev.heddle.testing.Pipes;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// What only the backends of a real kernel can show.
///
/// **Thread:** owner (the test runner).
abstract class KernelContract extends LoopTestCase {
    private static final int POSTS = 1000;

    private final Backend backend;

    KernelContract(Backend backend) {
        super(backend);
        this.backend = backend;
    }

    // L70
    @Test
    void aLoopCanWatchAnotherLoopsDescriptor() throws IOException {
        var trail = new ArrayList<String>();
        var inner = Loop.open(LoopOptions.defaults().backend(Backend.EPOLL).name("inner"));
        var outer = fixture.open();
        int fd = inner.backendFd();
        var watch =
                outer.watch(
                        fd,
                        Interest.READ,
                        (self, ready) -> {
                            trail.add(Interest.describe(ready));
                            self.close();
                        });
        outer.runNowait();
        assertEquals(List.of(), trail, "an idle loop has nothing to do");

        fixture.outside(() -> inner.post(() -> trail.add("inner")));
        assertFalse(outer.run());
        inner.runNowait();

        assertEquals(List.of("READ", "inner"), trail);
        inner.close();
    }

    // epoll watches the file, not the descriptor, and cannot be told to stop once the number is
    // gone:
    // every wait would end at once, for ever.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWatchWhoseDescriptorWasClosedUnderItLetsTheLoopSleepThoughADuplicateLives(boolean reused)
            throws IOException {
        try (var pipes = new Pipes()) {
            var loop = fixture.open();
            var wire = pipes.wire();
            int fd = wire.fd();
            int twin = pipes.twin(fd);
            var other = pipes.wire();
            var seen = new ArrayList<String>();
            var kept =
                    loop.watch(
                            other.fd(),
                            Interest.READ,
                            (_, ready) -> seen.add(Interest.describe(ready)));
            var watch = loop.watch(fd, Interest.READ | Interest.LEVEL, (_, _) -> {});
            wire.send();
            loop.runNowait();

            pipes.close(fd);
            if (reused) {
                pipes.wireWithNumber(fd);
            }
            watch.stop();
            loop.after(Duration.ofMillis(50), other::send);
            loop.after(Duration.ofMillis(60), kept::stop);
            long before = loop.stats().polls();
            loop.run();

            long polls = loop.stats().polls() - before;
            assertTrue(polls < 20, () -> polls + " polls in 60 ms of sleep");
            assertEquals(List.of("READ"), seen, "what is registered stays so");
            pipes.close(twin);
        }
    }

    // SPEC part 2: one system call however many posts come before the loop looks.
    @Test
    void manyPostsToASleepingLoopAreOneWakeUp() throws IOException {
        var kernel = new CountingSys();
        var reactor = backend.reactor(kernel);
        var loop = fixture.open(options -> options.reactor(reactor, Clock.system()));
        var posted = new CountDownLatch(1);
        var ran = new AtomicInteger();
        var keepAlive = loop.async();
        loop.runNowait();
        kernel.forget();

        whileAsleep(
                () -> {
                    // The first task holds the loop until all have been posted.
                    loop.post(() -> await(posted));
                    for (int i = 0; i < POSTS; i++) {
                        loop.post(ran::incrementAndGet);
                    }
                    loop.post(keepAlive::close);
                    posted.countDown();
                },
                () -> assertFalse(loop.run()));

        assertEquals(POSTS, ran.get());
        assertEquals(1, kernel.count("write"), kernel.calls().toString());
    }
}
