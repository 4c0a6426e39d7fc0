package dev.heddle.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Optional;
import java.util.zip.CRC32;

/// The bytes of one file in the [ClassCache]: what it is, the key, the classes, a checksum.
///
/// **Thread:** immutable.
final class CacheEntry {
    // "Hdl" and a generation, which changes with the format and with the compiler's options.
    private static final int MAGIC = 'H' << 24 | 'd' << 16 | 'l' << 8 | 1;

    private CacheEntry() {}

    static byte[] format(CacheKey key, Compiled compiled) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeInt(MAGIC);
        writeBlock(out, key.bytes());
        out.writeUTF(compiled.mainClass());
        out.writeInt(compiled.others().size());
        for (var other : compiled.others()) {
            out.writeUTF(other.path());
            writeBlock(out, other.content());
        }
        out.writeInt(compiled.classes().size());
        for (var each : compiled.classes().entrySet()) {
            out.writeUTF(each.getKey());
            writeBlock(out, each.getValue());
        }
        out.writeLong(checksum(bytes.toByteArray(), bytes.size()));
        return bytes.toByteArray();
    }

    /// @return nothing if it is another program's entry, or damaged
    static Optional<Compiled> parse(byte[] bytes, CacheKey key) throws IOException {
        // Checked first: a machine that lost power may have kept a file's name and lost its
        // content, and what follows trusts every length.
        int end = bytes.length - Long.BYTES;
        if (end < 0 || ByteBuffer.wrap(bytes).getLong(end) != checksum(bytes, end)) {
            return Optional.empty();
        }
        var in = new DataInputStream(new ByteArrayInputStream(bytes, 0, end));
        if (in.readInt() != MAGIC || !key.matches(readBlock(in))) {
            return Optional.empty();
        }
        String mainClass = in.readUTF();
        var others = new ArrayList<Compiled.Other>();
        for (int left = in.readInt(); left > 0; left--) {
            others.add(new Compiled.Other(in.readUTF(), readBlock(in)));
        }
        var classes = new HashMap<String, byte[]>();
        for (int left = in.readInt(); left > 0; left--) {
            classes.put(in.readUTF(), readBlock(in));
        }
        return Optional.of(new Compiled(mainClass, others, classes));
    }

    private static void writeBlock(DataOutputStream out, byte[] block) throws IOException {
        out.writeInt(block.length);
        out.write(block);
    }

    private static byte[] readBlock(DataInputStream in) throws IOException {
        return in.readNBytes(in.readInt());
    }

    private static long checksum(byte[] bytes, int end) {
        var crc = new CRC32();
        crc.update(bytes, 0, end);
        return crc.getValue();
    }
}
