package dev.heddle.test;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.Heddle;
import dev.heddle.Promise;
import dev.heddle.loop.Watch;
import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Interest;
import dev.heddle.sys.Errno;
import dev.heddle.test.kernel.SimPipe;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;

/// The simulated kernel as a test sees it: pipes, faults and signals, on every backend that it can
/// play.
class WorldKernelTest {
    private static final int BYTES = 10_000;

    @HeddleTest(
            seeds = 40,
            backends = {Backend.SIM, Backend.EPOLL, Backend.POLL})
    void bytesArriveWholeHoweverTheyAreCut(TestWorld world) throws IOException {
        copyThroughAPipe(world);
    }

    @HeddleTest(
            seeds = 40,
            backends = {Backend.EPOLL, Backend.POLL},
            faults = {
                @Fault(call = "epoll_wait", errno = "EINTR", percent = 30),
                @Fault(call = "epoll_pwait2", errno = "EINTR", percent = 30),
                @Fault(call = "poll", errno = "EINTR", percent = 30),
                @Fault(call = "ppoll", errno = "EINTR", percent = 30)
            })
    void interruptedWaitsLoseNothing(TestWorld world) throws IOException {
        copyThroughAPipe(world);
    }

    @HeddleTest(
            backends = Backend.EPOLL,
            faults = @Fault(call = "epoll_ctl", errno = "ENOSPC", nth = 2))
    void theNthCallFailsAndLeavesNoTrace(TestWorld world) throws IOException {
        var loop = Heddle.current().loop();
        try (var pipe = world.pipe()) {
            var refused =
                    assertThrows(
                            IOException.class,
                            () -> {
                                loop.watch(pipe.readEnd(), Interest.READ, (_, _) -> {});
                                loop.watch(pipe.writeEnd(), Interest.WRITE, (_, _) -> {});
                                delay(Duration.ofMillis(1));
                            });
            assertTrue(refused.getMessage().contains("ENOSPC"), refused.getMessage());
            loop.walk(source -> source.close());
        }
    }

    @HeddleTest
    void signalsComeFromTheWorldAndNotFromTheProcess(TestWorld world) {
        var got = new Promise<String>();
        var watch = Heddle.current().loop().onceSignal("TERM", () -> got.complete("TERM"));
        world.at(Duration.ofSeconds(3), () -> world.raise("TERM"));
        assertEquals("TERM", await(got.deferred(), Duration.ofSeconds(10)));
        assertEquals(Duration.ofSeconds(3), world.elapsed());
        assertTrue(!watch.isActive());
    }

    @HeddleTest
    void aSignalThatNobodyWaitsForIsAMistake(TestWorld world) {
        assertThrows(IllegalStateException.class, () -> world.raise("INT"));
    }

    private static void copyThroughAPipe(TestWorld world) throws IOException {
        var sent = new byte[BYTES];
        world.random().nextBytes(sent);
        try (var pipe = world.pipe()) {
            var received = spawn(() -> readAll(pipe));
            writeAll(pipe, sent);
            pipe.closeWriteEnd();
            assertArrayEquals(sent, await(received));
        }
    }

    private static void writeAll(SimPipe pipe, byte[] bytes) throws IOException {
        int done = 0;
        while (done < bytes.length) {
            int count = pipe.write(Arrays.copyOfRange(bytes, done, bytes.length));
            if (count == -Errno.EAGAIN) {
                awaitReady(pipe.writeEnd(), Interest.WRITE);
            } else {
                assertTrue(count > 0, () -> Errno.describe(-count));
                done += count;
            }
        }
    }

    private static byte[] readAll(SimPipe pipe) throws IOException {
        var all = new ByteArrayOutputStream();
        var buffer = new byte[333];
        while (true) {
            int count = pipe.read(buffer);
            if (count == 0) {
                return all.toByteArray();
            }
            if (count == -Errno.EAGAIN) {
                awaitReady(pipe.readEnd(), Interest.READ);
            } else {
                assertTrue(count > 0, () -> Errno.describe(-count));
                all.write(buffer, 0, count);
            }
        }
    }

    private static void awaitReady(int fd, int interest) throws IOException {
        var ready = Promise.<Integer>external();
        Watch watch =
                Heddle.current().loop().watch(fd, interest, (_, bits) -> ready.complete(bits));
        try {
            await(ready.deferred());
        } finally {
            watch.close();
        }
    }
}
