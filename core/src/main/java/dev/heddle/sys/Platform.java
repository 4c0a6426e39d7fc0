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

    public static boolean isX64() {
        return ARCH.equals("amd64") || ARCH.equals("x86_64");
    }
}
