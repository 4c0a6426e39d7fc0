package dev.heddle.test.kernel;

import dev.heddle.sys.Epoll;
import dev.heddle.sys.Errno;
import dev.heddle.sys.Poll;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// An `epoll(7)` instance.
///
/// As in Linux there is a list of the items at which something may have happened. A wake-up puts an
/// item there if its key is wanted; a wait takes the items from the front, looks at each file, and
/// reports what holds and is wanted. An item by level goes back to the end of the list.
///
/// **Thread:** owner (whoever holds the kernel's lock).
final class EpollSet extends OpenFile {
    static final int EPOLLONESHOT = 1 << 30;

    private static final int READ_AND_WRITE = 2; // O_RDWR
    private static final int ALWAYS = Epoll.EPOLLERR | Epoll.EPOLLHUP;
    private static final int MODES = Epoll.EPOLLET | EPOLLONESHOT;

    private final Chance chance;
    private final Map<Key, Item> items = new LinkedHashMap<>();
    private final List<Item> list = new ArrayList<>();

    EpollSet(Waits waits, Chance chance) {
        super(waits, 0);
        this.chance = chance;
    }

    /// {@return 0 or `-errno`}
    int control(int op, int fd, OpenFile file, MemorySegment event) {
        if (file == this) {
            return -Errno.EINVAL;
        }
        if (op == Epoll.EPOLL_CTL_ADD && file instanceof EpollSet inner && inner.watches(this)) {
            return -Errno.ELOOP;
        }
        var key = new Key(fd, file);
        var item = items.get(key);
        return switch (op) {
            case Epoll.EPOLL_CTL_ADD -> item == null ? add(key, event) : -Errno.EEXIST;
            case Epoll.EPOLL_CTL_MOD -> item == null ? -Errno.ENOENT : item.set(event);
            case Epoll.EPOLL_CTL_DEL -> item == null ? -Errno.ENOENT : remove(item);
            default -> -Errno.EINVAL;
        };
    }

    /// Writes what is ready into `events`, at most `max`.
    ///
    /// @return how many
    int collect(MemorySegment events, int max) {
        var found = new ArrayList<Ready>();
        for (int left = list.size(); left > 0 && found.size() < max; left--) {
            var item = list.removeFirst();
            item.listed = false;
            int bits = item.ready();
            if (bits != 0) {
                found.add(new Ready(bits, item.data));
                item.reported();
            }
        }
        int count = found.size();
        for (int i = 0; i < count; i++) {
            var ready = found.remove(chance.pick(found.size()));
            Epoll.set(events.asSlice(i * Epoll.EVENT_SIZE), ready.bits(), ready.data());
        }
        return count;
    }

    @Override
    int readiness() {
        // Up to the first that is ready, as Linux does it.
        while (!list.isEmpty() && list.getFirst().ready() == 0) {
            list.removeFirst().listed = false;
        }
        return list.isEmpty() ? 0 : Poll.POLLIN;
    }

    @Override
    int mode() {
        return 0; // an anonymous inode has no kind
    }

    @Override
    int access() {
        return READ_AND_WRITE;
    }

    @Override
    long read(int fd, MemorySegment buffer, long length) {
        return -Errno.EINVAL;
    }

    @Override
    long write(int fd, MemorySegment buffer, long length) {
        return -Errno.EINVAL;
    }

    @Override
    void release() {
        items.values().forEach(item -> item.key.file().unwatch(item));
        items.clear();
        list.clear();
    }

    @Override
    public String toString() {
        return "epoll, " + items.size() + " descriptors";
    }

    private boolean watches(EpollSet wanted) {
        return items.keySet().stream()
                .anyMatch(
                        key ->
                                key.file() == wanted
                                        || (key.file() instanceof EpollSet inner
                                                && inner.watches(wanted)));
    }

    private int add(Key key, MemorySegment event) {
        var item = new Item(key);
        items.put(key, item);
        key.file().watch(item);
        return item.set(event);
    }

    private int remove(Item item) {
        item.key.file().unwatch(item);
        forget(item);
        return 0;
    }

    private void forget(Item item) {
        items.remove(item.key);
        list.remove(item);
        item.listed = false;
    }

    private void list(Item item) {
        if (!item.listed) {
            item.listed = true;
            list.add(item);
        }
    }

    /// A number and the file behind it, as the kernel tells its items apart: a number that was
    /// closed and given out again is another item.
    private record Key(int fd, OpenFile file) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && key.fd == fd && key.file == file;
        }

        @Override
        public int hashCode() {
            return 31 * fd + System.identityHashCode(file);
        }
    }

    private record Ready(int bits, long data) {}

    private final class Item implements Watcher {
        final Key key;
        boolean listed;
        int events;
        long data;

        Item(Key key) {
            this.key = key;
        }

        int set(MemorySegment event) {
            events = Epoll.events(event, 0) | ALWAYS;
            data = Epoll.data(event, 0);
            if (ready() != 0 && !listed) {
                list(this);
                wake(Poll.POLLIN);
            }
            return 0;
        }

        int ready() {
            return key.file().readiness() & events & ~MODES;
        }

        void reported() {
            if ((events & EPOLLONESHOT) != 0) {
                events &= MODES;
            } else if ((events & Epoll.EPOLLET) == 0) {
                list(this);
            }
        }

        @Override
        public void notice(int keys) {
            if ((keys & events & ~MODES) != 0) {
                list(this);
                wake(Poll.POLLIN);
            }
        }

        @Override
        public void gone() {
            forget(this);
        }
    }
}
