package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.test.kernel.SimKernel;
import dev.heddle.test.kernel.SimPipe;
import dev.heddle.testing.Bystander;
import dev.heddle.testing.Descriptors;
import dev.heddle.testing.KernelWires;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

/// What every reactor on a [SimKernel] promises beyond [ReactorContract]: pipes, virtual time, and
/// that it gives back what it took.
abstract class SimKernelContract extends ReactorContract {
    private static final byte[] HELLO = {1, 2, 3};

    private SimKernel kernel;

    abstract Backend kind();

    @Override
    final Reactor open() throws IOException {
        kernel = new SimKernel(new SimClock());
        return kernel.reactor(kind());
    }

    @Override
    final Descriptors descriptors(Reactor reactor) {
        return new KernelWires(kernel);
    }

    @Override
    @AfterEach
    final void closeBoth() {
        super.closeBoth();
        assertEquals(List.of(), kernel.open());
        assertEquals(List.of(), kernel.doubleCloses());
    }

    @Test
    void theBackendIsTheOneAskedFor() {
        assertEquals(kind(), reactor.backend());
    }

    @Test
    void aPipeBecomesReadableAndWritable() throws IOException {
        try (var pipe = watchedPipe()) {
            assertEquals(List.of("2:WRITE"), next());
            pipe.write(HELLO);
            assertEquals(List.of("1:READ"), next());
            assertEquals(3, pipe.read(new byte[8]));
            reactor.consumed(pipe.readEnd(), READ);
            assertSilent();

            unwatch(pipe);
        }
    }

    @Test
    void aPipeWhoseOtherEndIsGoneIsHungUp() throws IOException {
        try (var pipe = watchedPipe()) {
            next();
            pipe.write(HELLO);
            reactor.unregister(pipe.writeEnd());
            pipe.closeWriteEnd();
            assertEquals(List.of("1:READ|WRITE|HUP"), next());
            assertEquals(3, pipe.read(new byte[8]));
            assertEquals(0, pipe.read(new byte[8]));
            reactor.unregister(pipe.readEnd());
        }
        try (var pipe = watchedPipe()) {
            next();
            reactor.unregister(pipe.readEnd());
            pipe.closeReadEnd();
            assertEquals(List.of("2:READ|WRITE|HUP"), next());
            reactor.unregister(pipe.writeEnd());
        }
    }

    @Test
    void aScriptThatWritesEndsAWaitForEver() throws IOException {
        try (var pipe = watchedPipe()) {
            next();
            kernel.clock().at(300, () -> pipe.write(HELLO));
            kernel.clock().at(500, pipe::close);

            assertEquals(List.of("1:READ"), poll(FOREVER));
            assertEquals(300, kernel.clock().nanos());
            unwatch(pipe);
        }
    }

    @Test
    void anotherThreadThatWritesEndsAWaitForEver() throws IOException {
        try (var pipe = watchedPipe()) {
            next();
            kernel.holdTimeWhile(() -> true);
            try (var _ = Bystander.onceAsleepIn("poll", () -> pipe.write(HELLO))) {
                assertEquals(List.of("1:READ"), poll(FOREVER));
            }
            assertEquals(0, kernel.clock().nanos());
            unwatch(pipe);
        }
    }

    @Test
    void aWaitForEverThatNothingCanEndIsADeadlock() throws IOException {
        registered(7, READ);
        var thrown = assertThrows(IllegalStateException.class, () -> reactor.poll(out, FOREVER));

        assertEquals("deadlock: nothing can wake this loop", thrown.getMessage());
    }

    @Test
    void twoReactorsShareDescriptorsAndTime() throws IOException {
        try (var other = kernel.reactor(kind());
                var pipe = watchedPipe()) {
            next();
            other.register(pipe.readEnd(), 9, READ);
            pipe.write(HELLO);

            assertEquals(1, other.poll(out, 0));
            assertEquals(9, out.token(0));
            assertEquals(List.of("1:READ"), poll(0));
            other.unregister(pipe.readEnd());
            unwatch(pipe);
        }
    }

    private SimPipe watchedPipe() throws IOException {
        var pipe = kernel.pipe();
        reactor.register(pipe.readEnd(), 1, READ);
        reactor.register(pipe.writeEnd(), 2, WRITE);
        return pipe;
    }

    private void unwatch(SimPipe pipe) throws IOException {
        reactor.unregister(pipe.readEnd());
        reactor.unregister(pipe.writeEnd());
    }
}
