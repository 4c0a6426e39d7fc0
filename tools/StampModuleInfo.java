import java.nio.ByteBuffer;

// Class file, 4.1 of the JVM specification: u4 magic, u2 minor version, u2 major version.
static final int MAJOR_VERSION = 6;
static final short JAVA_17 = 61;

/// Marks a compiled module descriptor as one of Java 17, if it is newer.
///
/// Maven packs the jar in its own JVM, and refuses a descriptor newer than that JVM. The format of
/// descriptors has not changed since Java 9, so that only the version number has to go down.
/// Compiling the file a second time would do as well, but touches it in every build: then
/// everything that depends on this module is compiled again for nothing.
void main(String[] args) throws IOException {
    var file = Path.of(args[0]);
    var descriptor = ByteBuffer.wrap(Files.readAllBytes(file));
    if (descriptor.getShort(MAJOR_VERSION) > JAVA_17) {
        descriptor.putShort(MAJOR_VERSION, JAVA_17);
        Files.write(file, descriptor.array());
    }
}
