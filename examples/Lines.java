import dev.heddle.loop.Loop;
import dev.heddle.loop.Watch;
import dev.heddle.reactor.Interest;

int lines;
final InputStream in = new FileInputStream(FileDescriptor.in);
final byte[] buffer = new byte[4096];

/// Watches a descriptor: counts the lines that come in on standard input, a pipe or a terminal.
///
///     printf 'one\ntwo\n' | ./heddle run examples/Lines.java
void main() throws IOException {
    try (var loop = Loop.open()) {
        // Level-triggered: called again as long as there is something left to read.
        loop.watch(0, Interest.READ | Interest.LEVEL, this::read);
        loop.run();
    }
    IO.println(lines + " lines");
}

void read(Watch watch, int ready) {
    try {
        int count = in.read(buffer); // does not block: there is something, or the end
        for (int i = 0; i < count; i++) {
            lines += buffer[i] == '\n' ? 1 : 0;
        }
        if (count < 0) {
            watch.close();
        }
    } catch (IOException cause) {
        throw new UncheckedIOException(cause);
    }
}
