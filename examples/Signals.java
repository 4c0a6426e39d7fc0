import dev.heddle.loop.Loop;

/// Signals are callbacks on the loop, like everything else. This program sends them to itself.
void main() throws IOException {
    try (var loop = Loop.open()) {
        var reload =
                loop.onSignal(
                        "USR1",
                        () -> {
                            IO.println("USR1: reading the configuration again");
                            send("TERM");
                        });
        loop.onceSignal(
                "TERM",
                () -> {
                    IO.println("TERM: ending in good order");
                    reload.close();
                });
        loop.post(() -> send("USR1"));
        loop.run();
        IO.println("bye");
    }
}

void send(String signal) {
    try {
        long self = ProcessHandle.current().pid();
        new ProcessBuilder("sh", "-c", "kill -" + signal + " " + self).inheritIO().start();
    } catch (IOException cause) {
        throw new UncheckedIOException(cause);
    }
}
