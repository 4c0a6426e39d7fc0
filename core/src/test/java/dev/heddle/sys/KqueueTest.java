package dev.heddle.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.List;

/// The kqueue binding, as far as a system without kqueue can check it. Where there is one,
/// [LayoutTest] asks its headers.
final class KqueueTest {
    @Test
    void eventIs32BytesAnd64OnFreeBsd() {
        assertEquals(32, Kqueue.layout(false).byteSize());
        assertEquals(64, Kqueue.layout(true).byteSize());
        assertEquals(32, Kqueue.layout(true).byteOffset(groupElement("ext")));
    }

    @Test
    void bothFormsBeginAlike() {
        for (boolean freeBsd : new boolean[] {false, true}) {
            var layout = Kqueue.layout(freeBsd);
            var offsets =
                    List.of("ident", "filter", "flags", "fflags", "data", "udata").stream()
                            .map(name -> layout.byteOffset(groupElement(name)))
                            .toList();
            assertEquals(List.of(0L, 8L, 10L, 12L, 16L, 24L), offsets);
        }
    }

    /// From `sys/event.h`; the same on macOS 15, FreeBSD 14 and libkqueue 2.6, but for
    /// `EVFILT_USER` (-10 on macOS) and for `EVFILT_EXCEPT` and `NOTE_OOB`, which only macOS has.
    @Test
    void constantsHaveTheirLiteralValues() {
        assertEquals(-1, Kqueue.EVFILT_READ);
        assertEquals(-2, Kqueue.EVFILT_WRITE);
        assertEquals(-15, Kqueue.EVFILT_EXCEPT);
        assertEquals(Platform.isMac() ? -10 : -11, Kqueue.EVFILT_USER);
        assertEquals(0x1, Kqueue.EV_ADD);
        assertEquals(0x2, Kqueue.EV_DELETE);
        assertEquals(0x20, Kqueue.EV_CLEAR);
        assertEquals(0x40, Kqueue.EV_RECEIPT);
        assertEquals(0x4000, Kqueue.EV_ERROR);
        assertEquals(0x8000, Short.toUnsignedInt(Kqueue.EV_EOF));
        assertEquals(0x1, Kqueue.NOTE_LOWAT);
        assertEquals(0x2, Kqueue.NOTE_OOB);
        assertEquals(0x01000000, Kqueue.NOTE_TRIGGER);
    }

    @Test
    void whatIsWrittenIsRead() {
        var array = Memory.allocate(3 * Kqueue.KEVENT_SIZE);
        for (int i = 0; i < 3; i++) {
            Kqueue.set(array, i, 100 + i, -1 - i, 0x8000 + i, 7 + i, -8 - i, Long.MIN_VALUE + i);
        }
        for (int i = 0; i < 3; i++) {
            assertEquals(100 + i, Kqueue.ident(array, i));
            assertEquals(-1 - i, Kqueue.filter(array, i));
            assertEquals((short) (0x8000 + i), Kqueue.flags(array, i));
            assertEquals(7 + i, Kqueue.fflags(array, i));
            assertEquals(-8 - i, Kqueue.data(array, i));
            assertEquals(Long.MIN_VALUE + i, Kqueue.udata(array, i));
        }
        Memory.free(array);
    }

    @Test
    void callsOfASystemWithoutThemAnswerEnosys() {
        var none = MemorySegment.NULL;
        try (var state = new CallState()) {
            int kq = Kqueue.kqueue(state);
            assertEquals(Kqueue.missing().isPresent(), kq == -Errno.ENOSYS);
            int wrong = kq < 0 ? -Errno.ENOSYS : -Errno.EBADF;
            assertEquals(wrong, Kqueue.kevent(state, -1, none, 0, none, 0, none));
            if (kq >= 0) {
                Fd.close(state, kq);
            }
        }
    }
}
