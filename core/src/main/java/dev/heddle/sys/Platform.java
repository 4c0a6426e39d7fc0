package dev.heddle.sys;

/// Which system this is. Asked only inside this package and by the backend choice: above it nothing
/// branches on the platform.
///
/// **Thread:** immutable.
public final class Platform {
    private static final String OS = System.getProperty("os.name");
    private static final String ARCH = System.getProperty("os.arch");

    private Platform() {}

    public static boolean isLinux() {
        return OS.equals("Linux");
    }

    public static boolean isMac() {
        return OS.equals("Mac OS X");
    }

    public static boolean isFreeBsd() {
        return OS.equals("FreeBSD");
    }

    /// {@return a Linux system call's number on this machine: x86-64 has its own, later
    /// architectures share one list; -1 elsewhere}
    static long syscall(long onX64, long onLaterOnes) {
        if (!isLinux()) {
            return -1;
        }
        return switch (ARCH) {
            case "amd64", "x86_64" -> onX64;
            case "aarch64", "riscv64", "loongarch64" -> onLaterOnes;
            default -> -1;
        };
    }

    public static boolean isX64() {
        return ARCH.equals("amd64") || ARCH.equals("x86_64");
    }
}
