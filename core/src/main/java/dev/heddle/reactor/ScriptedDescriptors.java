package dev.heddle.reactor;

import dev.heddle.sys.Errno;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// The descriptors of a [SimReactor] that has them to itself: nothing but scripted readiness.
///
/// **Thread:** owner (the reactor's).
final class ScriptedDescriptors implements SimDescriptors {
    private static final int FIRST_NUMBER = 3; // 0 to 2 are spoken for in every process

    private final List<@Nullable Scripted> table = new ArrayList<>();

    ScriptedDescriptors() {}

    @Override
    public int open() {
        return open(true);
    }

    @Override
    public int openFile() {
        return open(false);
    }

    @Override
    public void close(int fd) {
        var watchers = List.copyOf(existing(fd).watchers);
        table.set(fd - FIRST_NUMBER, null);
        watchers.forEach(Watcher::closed);
    }

    @Override
    public void ready(int fd, int bits) {
        var scripted = existing(fd);
        scripted.level |= bits;
        scripted.watchers.forEach(watcher -> watcher.edges(bits));
    }

    @Override
    public void clear(int fd, int bits) {
        existing(fd).level &= ~bits;
    }

    @Override
    public int readiness(int fd) {
        var scripted = find(fd);
        if (scripted == null) {
            return -Errno.EBADF;
        }
        return scripted.pollable ? scripted.level : -Errno.EPERM;
    }

    @Override
    public void watch(int fd, Watcher watcher) {
        existing(fd).watchers.add(watcher);
    }

    @Override
    public void unwatch(int fd, Watcher watcher) {
        var scripted = find(fd);
        if (scripted != null) {
            scripted.watchers.remove(watcher);
        }
    }

    private int open(boolean pollable) {
        int free = table.indexOf(null);
        int index = free >= 0 ? free : table.size();
        if (free >= 0) {
            table.set(free, new Scripted(pollable));
        } else {
            table.add(new Scripted(pollable));
        }
        return index + FIRST_NUMBER;
    }

    private @Nullable Scripted find(int fd) {
        int index = fd - FIRST_NUMBER;
        return index >= 0 && index < table.size() ? table.get(index) : null;
    }

    private Scripted existing(int fd) {
        var scripted = find(fd);
        if (scripted == null) {
            throw new IllegalArgumentException("no simulated descriptor " + fd + " is open");
        }
        return scripted;
    }

    private static final class Scripted {
        final boolean pollable;
        final List<Watcher> watchers = new ArrayList<>();
        int level;

        Scripted(boolean pollable) {
            this.pollable = pollable;
        }
    }
}
