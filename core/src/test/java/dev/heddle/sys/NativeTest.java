package dev.heddle.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import org.junit.jupiter.api.Test;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import java.util.NoSuchElementException;

final class NativeTest {
    private static final FunctionDescriptor NUMBER_TO_NUMBER =
            FunctionDescriptor.of(JAVA_INT, JAVA_INT);

    @Test
    void plainFunctionIsCalledWithoutErrno() throws Throwable {
        var abs = Native.bindPlain("abs", NUMBER_TO_NUMBER);

        assertEquals(42, (int) abs.invokeExact(-42));
    }

    @Test
    void bothBindingsWithErrnoCaptureIt() throws Throwable {
        try (var state = new CallState()) {
            for (var close :
                    new MethodHandle[] {
                        Native.bind("close", NUMBER_TO_NUMBER),
                        Native.bindQuick("close", NUMBER_TO_NUMBER),
                        Native.bind(Native.libc(), "close", NUMBER_TO_NUMBER)
                    }) {
                int result = (int) close.invokeExact(state.segment(), -1);
                assertEquals(-1, result);
                assertEquals(-Errno.EBADF, state.fold(result));
            }
        }
    }

    @Test
    void functionThatIsNotThereIsNamed() {
        var error =
                assertThrows(
                        NoSuchElementException.class,
                        () -> Native.bind("heddle_has_no_such", NUMBER_TO_NUMBER));
        assertTrue(error.getMessage().contains("heddle_has_no_such"), error.getMessage());
    }

    @Test
    void libraryThatIsNotThereIsNamed() {
        var error =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Native.library("/nowhere/libheddle.so"));
        assertTrue(error.getMessage().contains("/nowhere/libheddle.so"), error.getMessage());
    }

    @Test
    void segmentIsTheMemoryAtItsAddress() {
        var block = Memory.allocate(16);
        block.set(JAVA_LONG, 8, 77);
        var view = Native.segment(block.address() + 8, 8);

        assertEquals(77, view.get(JAVA_LONG, 0));
        assertEquals(8, view.byteSize());
        Memory.free(block);
    }

    @Test
    void wrongBindingTellsItsCause() {
        var cause = new IllegalStateException("broken");

        assertSame(cause, Native.unreachable(cause).getCause());
    }
}
