package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Interest;
import dev.heddle.test.kernel.CountingSys;

import org.junit.jupiter.api.Test;

import java.io.IOException;
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
