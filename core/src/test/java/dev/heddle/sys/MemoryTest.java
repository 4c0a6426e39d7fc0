package dev.heddle.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MemoryTest {
    private final long before = Memory.inUse();

    @ParameterizedTest
    @ValueSource(longs = {1, 7, 16, 4096, 1 << 20})
    void memoryIsZeroedAlignedAndOfTheAskedSize(long bytes) {
        var block = Memory.allocate(bytes);

        assertEquals(bytes, block.byteSize());
        assertEquals(0, block.address() % 16);
        for (long at = 0; at < bytes; at++) {
            assertEquals(0, block.get(JAVA_BYTE, at));
        }
        Memory.free(block);
    }

    @Test
    void bytesAreCountedUntilTheyAreFreed() {
        var first = Memory.allocate(100);
        var second = Memory.allocate(23);
        assertEquals(before + 123, Memory.inUse());
        Memory.free(first);
        assertEquals(before + 23, Memory.inUse());
        Memory.free(second);

        assertEquals(before, Memory.inUse());
    }

    @Test
    void accessBeyondTheEndIsRefused() {
        var block = Memory.allocate(8);

        assertThrows(IndexOutOfBoundsException.class, () -> block.get(JAVA_BYTE, 8));
        Memory.free(block);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void sizeThatIsNotPositiveIsRefused(long bytes) {
        var error = assertThrows(IllegalArgumentException.class, () -> Memory.allocate(bytes));
        assertEquals("size must be positive, but is " + bytes, error.getMessage());
        assertEquals(before, Memory.inUse());
    }

    @Test
    void memoryThatTheSystemRefusesIsAnErrorAndNotCounted() {
        var error = assertThrows(OutOfMemoryError.class, () -> Memory.allocate(Long.MAX_VALUE));

        assertEquals("native memory: " + Long.MAX_VALUE + " bytes refused", error.getMessage());
        assertEquals(before, Memory.inUse());
    }
}
