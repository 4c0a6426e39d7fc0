package dev.heddle.loop;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.function.Consumer;

/// Finds the watch that an event's token speaks of.
///
/// A token is generation | slot. The generation of a slot changes whenever a watch leaves it, so an
/// event that was fetched before finds nobody, even if the slot, or the descriptor's number, has a
/// new owner by then.
///
/// **Thread:** loop.
final class WatchTable {
    private @Nullable Watch[] watches = new @Nullable Watch[16];
    private int[] generations = new int[16];
    private int[] free = new int[16];
    private int freeCount;
    private int used;

    // By descriptor; grows only for numbers that the reactor has accepted.
    private @Nullable Watch[] holders = new @Nullable Watch[16];

    int count() {
        return used - freeCount;
    }

    void add(Watch watch) {
        int slot = freeCount > 0 ? free[--freeCount] : nextSlot();
        watches[slot] = watch;
        watch.slot = slot;
        watch.token = token(slot);
    }

    /// Says that the reactor has accepted `watch`.
    ///
    /// @return the watch that had the same descriptor until now, or null
    @Nullable Watch claim(Watch watch) {
        int fd = watch.fd();
        if (fd >= holders.length) {
            holders = Arrays.copyOf(holders, Math.max(fd + 1, holders.length * 2));
        }
        Watch before = holders[fd];
        holders[fd] = watch;
        return before;
    }

    void remove(Watch watch) {
        int slot = watch.slot;
        int fd = watch.fd();
        if (fd >= 0 && fd < holders.length && holders[fd] == watch) {
            holders[fd] = null;
        }
        watches[slot] = null;
        // Never negative, so that no token is the one that the reactor keeps for itself.
        generations[slot] = (generations[slot] + 1) & Integer.MAX_VALUE;
        free[freeCount++] = slot;
        watch.slot = -1;
        watch.token = -1;
    }

    /// {@return the watch that `token` was made for, or null if it is gone}
    @Nullable Watch find(long token) {
        Watch watch = watches[(int) token];
        return watch != null && watch.token == token ? watch : null;
    }

    void forEach(Consumer<? super Watch> action) {
        for (Watch watch : Arrays.copyOf(watches, used)) {
            if (watch != null) {
                action.accept(watch);
            }
        }
    }

    private long token(int slot) {
        return (long) generations[slot] << Integer.SIZE | slot;
    }

    private int nextSlot() {
        if (used == watches.length) {
            watches = Arrays.copyOf(watches, used * 2);
            generations = Arrays.copyOf(generations, used * 2);
            free = Arrays.copyOf(free, used * 2);
        }
        return used++;
    }
}
