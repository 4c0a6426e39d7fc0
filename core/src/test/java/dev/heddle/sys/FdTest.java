package dev.heddle.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.heddle.test.Leaks;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.lang.foreign.MemorySegment;

/// The calls on a descriptor of any kind, and `fstat`, on a pipe of the real kernel.
@ExtendWith(Leaks.class)
final class FdTest {
    private CallState state;
    private MemorySegment block;
    private int reader;
    private int writer;

    @BeforeEach
    void openPipe() {
        state = new CallState();
        block = Memory.allocate(Stat.SIZE);
        assertEquals(0, Fd.pipe2(state, block, Fd.O_CLOEXEC | Fd.O_NONBLOCK));
        reader = block.getAtIndex(JAVA_INT, 0);
        writer = block.getAtIndex(JAVA_INT, 1);
    }

    @AfterEach
    void closePipe() {
        Fd.close(state, reader);
        Fd.close(state, writer);
        Memory.free(block);
        state.close();
    }

    @Test
    void pipeHasItsFlagsOnBothEnds() {
        for (int fd : new int[] {reader, writer}) {
            assertEquals(Fd.FD_CLOEXEC, Fd.fcntl(state, fd, Fd.F_GETFD, 0));
            assertNotEquals(0, Fd.fcntl(state, fd, Fd.F_GETFL, 0) & Fd.O_NONBLOCK);
        }
    }

    @Test
    void bytesComeOutAsTheyWentIn() {
        block.set(JAVA_BYTE, 0, (byte) 11);
        block.set(JAVA_BYTE, 1, (byte) 22);
        assertEquals(2, Fd.write(state, writer, block, 2));
        block.fill((byte) 0);

        assertEquals(2, Fd.read(state, reader, block, 100));
        assertEquals(11, block.get(JAVA_BYTE, 0));
        assertEquals(22, block.get(JAVA_BYTE, 1));
        assertEquals(-Errno.EAGAIN, Fd.read(state, reader, block, 1));
    }

    @Test
    void flagsCanBeChanged() {
        assertEquals(0, Fd.fcntl(state, reader, Fd.F_SETFD, 0));
        assertEquals(0, Fd.fcntl(state, reader, Fd.F_GETFD, 0));
        assertEquals(0, Fd.fcntl(state, reader, Fd.F_SETFL, 0));
        assertEquals(0, Fd.fcntl(state, reader, Fd.F_GETFL, 0) & Fd.O_NONBLOCK);
    }

    @Test
    void kindOfAPipeIsFifo() {
        assertEquals(0, Stat.fstat(state, reader, block));

        assertEquals(Stat.S_IFIFO, Stat.mode(block) & Stat.S_IFMT);
    }

    @Test
    void everyCallOnAClosedNumberIsEbadf() {
        Fd.close(state, writer);

        assertEquals(-Errno.EBADF, Fd.close(state, writer));
        assertEquals(-Errno.EBADF, Fd.read(state, writer, block, 1));
        assertEquals(-Errno.EBADF, Fd.write(state, writer, block, 1));
        assertEquals(-Errno.EBADF, Fd.fcntl(state, writer, Fd.F_GETFD, 0));
        assertEquals(-Errno.EBADF, Stat.fstat(state, writer, block));
    }
}
