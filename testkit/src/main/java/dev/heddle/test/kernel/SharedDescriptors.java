package dev.heddle.test.kernel;

import dev.heddle.reactor.Interest;
import dev.heddle.reactor.SimDescriptors;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Poll;

import java.util.HashMap;
import java.util.Map;

/// The descriptors of a [SimKernel] as its `SimReactor`s see them: in bits of [Interest].
///
/// **Thread:** any: each call takes the kernel's lock.
final class SharedDescriptors implements SimDescriptors {
    private static final int GONE = Poll.POLLERR | Poll.POLLHUP;

    private final SimKernel kernel;

    // Under the kernel's lock.
    private final Map<Watcher, Bridge> bridges = new HashMap<>();

    SharedDescriptors(SimKernel kernel) {
        this.kernel = kernel;
    }

    @Override
    public int open() {
        return kernel.scripted();
    }

    @Override
    public int openFile() {
        return kernel.file();
    }

    @Override
    public void close(int fd) {
        kernel.close(fd);
    }

    @Override
    public void ready(int fd, int bits) {
        kernel.ready(fd, bits);
    }

    @Override
    public void clear(int fd, int bits) {
        kernel.clear(fd, bits);
    }

    @Override
    public int readiness(int fd) {
        synchronized (kernel.waits) {
            var file = kernel.numbers.find(fd);
            if (file == null) {
                return -Errno.EBADF;
            }
            return file.hasReadiness() ? interest(file.readiness()) : -Errno.EPERM;
        }
    }

    @Override
    public void watch(int fd, Watcher watcher) {
        synchronized (kernel.waits) {
            var file = kernel.numbers.find(fd);
            if (file == null) {
                throw new IllegalArgumentException("no simulated descriptor " + fd + " is open");
            }
            var bridge = new Bridge(watcher, file);
            bridges.put(watcher, bridge);
            file.watch(bridge);
        }
    }

    @Override
    public void unwatch(int fd, Watcher watcher) {
        synchronized (kernel.waits) {
            var bridge = bridges.remove(watcher);
            if (bridge != null) {
                bridge.file.unwatch(bridge);
            }
        }
    }

    @Override
    public int pick(int waiting) {
        synchronized (kernel.waits) {
            return kernel.chance.pick(waiting);
        }
    }

    static int interest(int bits) {
        int found = (bits & Poll.POLLIN) == 0 ? 0 : Interest.READ;
        found |= (bits & Poll.POLLOUT) == 0 ? 0 : Interest.WRITE;
        found |= (bits & Poll.POLLPRI) == 0 ? 0 : Interest.PRIORITY;
        return found | ((bits & GONE) == 0 ? 0 : Interest.HUP);
    }

    static int pollBits(int interest) {
        int bits = (interest & Interest.READ) == 0 ? 0 : Poll.POLLIN;
        bits |= (interest & Interest.WRITE) == 0 ? 0 : Poll.POLLOUT;
        bits |= (interest & Interest.PRIORITY) == 0 ? 0 : Poll.POLLPRI;
        return bits | ((interest & Interest.HUP) == 0 ? 0 : Poll.POLLHUP);
    }

    private final class Bridge implements OpenFile.Watcher {
        final Watcher watcher;
        final OpenFile file;

        Bridge(Watcher watcher, OpenFile file) {
            this.watcher = watcher;
            this.file = file;
        }

        @Override
        public void notice(int key) {
            watcher.edges(interest(key));
        }

        @Override
        public void gone() {
            bridges.remove(watcher);
            watcher.closed();
        }
    }
}
