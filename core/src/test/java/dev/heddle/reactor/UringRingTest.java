package dev.heddle.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.heddle.sys.Errno;
import dev.heddle.sys.Sys;
import dev.heddle.test.kernel.CountingSys;
import dev.heddle.testing.Libc;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Operations: submitted by the next poll, completed into the caller's buffer, cancelled by tag.
final class UringRingTest extends UringTestCase {
    @Test
    void anOperationIsSubmittedByThePollAndCompletesInIt() throws IOException {
        var sys = new CountingSys();
        reopen(sys);
        poll(MOMENT_NANOS);
        sys.forget();
        nop(Ring.TAG_MAX);
        assertEquals(List.of(), sys.calls());
        assertEquals(1, ring().inFlight());

        assertEquals(List.of(), poll(FOREVER));
        assertEquals(List.of("io_uring_enter"), sys.calls());
        assertEquals(List.of(Ring.TAG_MAX + ":0"), completed());
        assertEquals(0, ring().inFlight());
    }

    @Test
    void aReadCompletesWhenThereIsSomethingToRead() throws Exception {
        var pipe = pipe();
        withBuffer(
                16,
                buffer -> {
                    buffer.fill((byte) 9);
                    read(5, pipe.first(), buffer);
                    assertSilent();
                    assertEquals(List.of(), completed());
                    Libc.write(pipe.second(), 3);
                    assertEquals(List.of(), poll(FOREVER));

                    assertEquals(List.of("5:3"), completed());
                    assertEquals(0, buffer.get(JAVA_BYTE, 2));
                    assertEquals(9, buffer.get(JAVA_BYTE, 3));
                });
    }

    @Test
    void aCancelledReadStillCompletes() throws Exception {
        var pipe = pipe();
        withBuffer(
                16,
                buffer -> {
                    read(5, pipe.first(), buffer);
                    assertSilent();
                    ring().cancel(5);
                    poll(FOREVER);

                    assertEquals(List.of("5:" + -Errno.ECANCELED), completed());
                    assertEquals(0, ring().inFlight());
                    // Not taken by the dead: what is written later is still there.
                    Libc.write(pipe.second(), 1);
                    assertSilent();
                    assertEquals(1, Libc.read(pipe.first(), 8));
                });
    }

    @Test
    void anOperationThatWasQuickerThanItsCancellationKeepsItsResult() throws Exception {
        var pipe = pipe();
        Libc.write(pipe.second(), 4);
        withBuffer(
                16,
                buffer -> {
                    read(5, pipe.first(), buffer);
                    ring().cancel(5);
                    poll(FOREVER);

                    assertEquals(List.of("5:4"), completed());
                    assertSilent();
                });
    }

    @Test
    void cancellingReachesEveryOperationWithTheTagAndNoOther() throws Exception {
        var pipes = List.of(pipe(), pipe(), pipe());
        withBuffer(
                16,
                buffer -> {
                    read(5, pipes.get(0).first(), buffer);
                    read(6, pipes.get(1).first(), buffer);
                    read(5, pipes.get(2).first(), buffer);
                    poll(0);
                    ring().cancel(5);
                    poll(FOREVER);
                    assertEquals(
                            List.of("5:" + -Errno.ECANCELED, "5:" + -Errno.ECANCELED), completed());
                    assertEquals(1, ring().inFlight());

                    ring().cancel(6);
                    poll(FOREVER);
                    assertEquals(List.of("6:" + -Errno.ECANCELED), completed());
                });
    }

    @Test
    void cancellingNothingIsSilent() throws IOException {
        ring().cancel(5);
        assertSilent();
        ring().cancel(5);

        assertSilent();
        assertEquals(List.of(), completed());
    }

    @Test
    void completionsThatDoNotFitWaitForTheNextPoll() throws IOException {
        var small = new Completions(3);
        ring().deliverTo(small);
        for (long tag = 0; tag < 10; tag++) {
            nop(tag);
        }
        var seen = new ArrayList<Long>();
        for (int round = 0; round < 4; round++) {
            reactor.poll(out, FOREVER);
            for (int i = 0; i < small.count(); i++) {
                seen.add(small.tag(i));
            }
            small.clear();
        }

        assertEquals(List.of(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L), seen);
        assertSilent();
    }

    @Test
    void aFullBufferThatNobodyEmptiesDoesNotBlockThePoll() throws IOException {
        ring().deliverTo(new Completions(1));
        nop(1);
        nop(2);
        poll(FOREVER);

        assertEquals(List.of(), poll(FOREVER));
        assertEquals(1, ring().inFlight());
        ring().deliverTo(completions);
        poll(FOREVER);
        assertEquals(List.of("2:0"), completed());
    }

    @Test
    void eventsAndCompletionsComeInOnePoll() throws IOException {
        var wire = registered(7, READ);
        poll(0);
        wire.send();
        nop(5);

        assertEquals(List.of("7:READ"), poll(FOREVER));
        assertEquals(List.of("5:0"), completed());
    }

    @Test
    void aMistakeInAnOperationIsItsOwnResult() throws Exception {
        withBuffer(
                16,
                buffer -> {
                    nop(1);
                    read(2, Integer.MAX_VALUE, buffer);
                    ring().prepare(3).set(JAVA_BYTE, 0, (byte) 255);
                    nop(4);
                    poll(FOREVER);

                    assertEquals(
                            List.of("1:0", "2:" + -Errno.EBADF, "3:" + -Errno.EINVAL, "4:0"),
                            completed().stream().sorted().toList());
                });
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Ring.TAG_MAX + 1, Long.MIN_VALUE, Long.MAX_VALUE})
    void tagsThatWouldNotComeBackAreRefused(long tag) {
        assertThrows(IllegalArgumentException.class, () -> ring().prepare(tag));
        var thrown = assertThrows(IllegalArgumentException.class, () -> ring().cancel(tag));

        assertTrue(thrown.getMessage().contains(String.valueOf(tag)), thrown.getMessage());
        assertEquals(0, ring().inFlight());
    }

    @Test
    void anOperationWhoseCompletionNobodyWouldGetIsRefused() {
        try (var fresh = new UringReactor(Sys.NATIVE)) {
            var ring = fresh.ring().orElseThrow();

            assertThrows(IllegalStateException.class, () -> ring.prepare(1));
            assertEquals(0, ring.inFlight());
        }
    }

    @Test
    void afterCloseNothingIsPrepared() {
        var ring = ring();
        reactor.close();

        assertThrows(IllegalStateException.class, () -> ring.prepare(1));
        assertThrows(IllegalStateException.class, () -> ring.cancel(1));
        assertEquals(0, ring.inFlight());
    }
}
