package dev.heddle.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import org.junit.jupiter.api.Test;

final class TimespecTest {
    @Test
    void nanosecondsAreSplitIntoSecondsAndTheRest() {
        long[][] cases = {
            {0, 0, 0},
            {999_999_999, 0, 999_999_999},
            {1_000_000_000, 1, 0},
            {61_000_000_001L, 61, 1},
            {Long.MAX_VALUE, 9_223_372_036L, 854_775_807},
        };
        var timespec = Memory.allocate(Timespec.LAYOUT.byteSize());
        for (long[] expected : cases) {
            Timespec.set(timespec, expected[0]);
            assertEquals(expected[1], timespec.get(JAVA_LONG, 0));
            assertEquals(expected[2], timespec.get(JAVA_LONG, 8));
            assertEquals(expected[0], Timespec.nanos(timespec));
        }
        Memory.free(timespec);
    }
}
