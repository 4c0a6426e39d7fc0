package dev.heddle.cli;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/// Everything that decides what the compiler makes of a program, byte for byte.
///
/// The cache finds an entry by a checksum and then compares all of this, so that two programs can
/// never be taken for each other. A cryptographic digest instead of the comparison would cost 25 ms
/// in every start: the JDK loads its security providers for it.
///
/// **Thread:** owner while parts are added, then immutable.
final class CacheKey {
    private final ByteArrayOutputStream parts = new ByteArrayOutputStream();

    /// Adds a part with its length, so that no two lists of parts look alike by running together.
    CacheKey add(byte[] part) {
        parts.writeBytes((part.length + "\n").getBytes(StandardCharsets.US_ASCII));
        parts.writeBytes(part);
        return this;
    }

    CacheKey add(String part) {
        return add(part.getBytes(StandardCharsets.UTF_8));
    }

    byte[] bytes() {
        return parts.toByteArray();
    }

    boolean matches(byte[] other) {
        return Arrays.equals(bytes(), other);
    }

    /// {@return a file name for it, which another key may share by accident}
    String name() {
        return checksum(bytes());
    }

    /// {@return 16 hexadecimal digits that differ when the content does, but for bad luck}
    static String checksum(byte[] content) {
        return checksum(new CRC32(), content) + checksum(new CRC32C(), content);
    }

    private static String checksum(Checksum algorithm, byte[] content) {
        algorithm.update(content);
        // With the highest bit set there are always enough digits.
        return Long.toHexString(1L << Integer.SIZE | algorithm.getValue()).substring(1);
    }
}
