package dev.heddle.testing;

import dev.heddle.reactor.Interest;

/// A wire whose peer is a script.
///
/// **Thread:** owner (the test).
record ScriptedWire(Script script, int fd) implements Wire {
    /// What happens to a simulated descriptor, whichever kernel it is of.
    interface Script {
        void ready(int fd, int bits);

        void clear(int fd, int bits);

        void close(int fd);
    }

    @Override
    public void send() {
        script.ready(fd, Interest.READ);
    }

    @Override
    public void sendUrgent() {
        script.ready(fd, Interest.PRIORITY);
    }

    @Override
    public void drain() {
        script.clear(fd, Interest.READ);
    }

    @Override
    public void fill() {
        script.clear(fd, Interest.WRITE);
    }

    @Override
    public void makeRoom() {
        script.ready(fd, Interest.WRITE);
    }

    @Override
    public void finish() {
        script.ready(fd, Interest.READ);
    }

    @Override
    public void hangUp() {
        script.ready(fd, Interest.HUP);
    }

    @Override
    public void close() {
        script.close(fd);
    }
}
