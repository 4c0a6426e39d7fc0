package dev.heddle.sys;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/// The one place that calls restricted methods: binding a C function, and giving a size to an
/// address that C returned.
///
/// Three kinds of binding, told apart by what the call may do:
/// - [#bind]: the call may block; the thread leaves the Java state, so garbage collection goes on.
/// - [#bindQuick]: the call cannot block; about 20 ns cheaper, but safepoints wait for it.
/// - [#bindPlain]: as quick, and no errno is captured, for functions that have none.
///
/// **Thread:** any.
final class Native {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup LIBC = LINKER.defaultLookup();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final Linker.Option QUICK = Linker.Option.critical(false);

    private Native() {}

    static MethodHandle bind(String name, FunctionDescriptor shape, Linker.Option... more) {
        return downcall(LIBC, name, shape, join(more, ERRNO));
    }

    static MethodHandle bindQuick(String name, FunctionDescriptor shape, Linker.Option... more) {
        return downcall(LIBC, name, shape, join(more, ERRNO, QUICK));
    }

    static MethodHandle bindPlain(String name, FunctionDescriptor shape) {
        return downcall(LIBC, name, shape, QUICK);
    }

    /// Like [#bind], from the library that `lookup` found.
    static MethodHandle bind(SymbolLookup lookup, String name, FunctionDescriptor shape) {
        return downcall(lookup, name, shape, ERRNO);
    }

    /// {@return the symbols of a library, which stays loaded for the life of the process}
    @SuppressWarnings("restricted")
    static SymbolLookup library(String name) {
        return SymbolLookup.libraryLookup(name, Arena.global());
    }

    static SymbolLookup libc() {
        return LIBC;
    }

    /// {@return the `bytes` at `address`, without any check of their lifetime}
    @SuppressWarnings("restricted")
    static MemorySegment segment(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    /// For the `catch` around `invokeExact`: a downcall throws only if the binding itself is wrong.
    static AssertionError unreachable(Throwable cause) {
        return new AssertionError("a system call's binding is wrong", cause);
    }

    @SuppressWarnings("restricted")
    private static MethodHandle downcall(
            SymbolLookup lookup, String name, FunctionDescriptor shape, Linker.Option... options) {
        return LINKER.downcallHandle(lookup.findOrThrow(name), shape, options);
    }

    private static Linker.Option[] join(Linker.Option[] more, Linker.Option... base) {
        var all = new Linker.Option[base.length + more.length];
        System.arraycopy(base, 0, all, 0, base.length);
        System.arraycopy(more, 0, all, base.length, more.length);
        return all;
    }
}
