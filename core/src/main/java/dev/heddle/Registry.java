package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/// All coroutines of a loop that have not ended, in the order they were spawned.
///
/// An array with holes, closed up when it is full and half of it is holes: adding and removing take
/// constant time, order is kept, and a walk may be interrupted and go on later, see [Cursor].
///
/// **Thread:** loop.
final class Registry {
    private static final int CAPACITY_MIN = 64;

    private @Nullable Coroutine<?>[] places = new Coroutine<?>[CAPACITY_MIN];
    private int end;
    private int size;
    private @Nullable Cursor cursors;

    int size() {
        return size;
    }

    void add(Coroutine<?> coroutine) {
        if (end == places.length) {
            makeRoom();
        }
        coroutine.place = end;
        places[end++] = coroutine;
        size++;
    }

    boolean has(Coroutine<?> coroutine) {
        return places[coroutine.place] == coroutine;
    }

    void remove(Coroutine<?> coroutine) {
        assert places[coroutine.place] == coroutine;
        places[coroutine.place] = null;
        size--;
    }

    /// {@return those that seem to be there. Any thread, if the loop has not moved for long}
    List<Coroutine<?>> glance() {
        var seen = new ArrayList<Coroutine<?>>();
        for (Coroutine<?> each : places) {
            if (each != null) {
                seen.add(each);
            }
        }
        return seen;
    }

    /// {@return a walk over those that are there when it gets to them}
    Cursor cursor() {
        cursors = new Cursor(cursors);
        return cursors;
    }

    private void makeRoom() {
        if (size > places.length / 2) {
            places = Arrays.copyOf(places, places.length * 2);
            return;
        }
        int to = 0;
        for (int from = 0; from < end; from++) {
            for (Cursor cursor = cursors; cursor != null; cursor = cursor.other) {
                if (cursor.at == from) {
                    cursor.movedTo = to;
                }
            }
            Coroutine<?> coroutine = places[from];
            if (coroutine != null) {
                coroutine.place = to;
                places[to++] = coroutine;
            }
        }
        Arrays.fill(places, to, end, null);
        for (Cursor cursor = cursors; cursor != null; cursor = cursor.other) {
            cursor.at = cursor.at >= end ? to : cursor.movedTo;
        }
        end = to;
    }

    /// A walk in the order of spawning. Those spawned meanwhile are seen, those that ended are not.
    final class Cursor implements AutoCloseable {
        private @Nullable Cursor other;
        private int at;
        private int movedTo;

        private Cursor(@Nullable Cursor other) {
            this.other = other;
        }

        /// {@return the next one, or null at the end}
        @Nullable Coroutine<?> next() {
            while (at < end) {
                Coroutine<?> coroutine = places[at++];
                if (coroutine != null) {
                    return coroutine;
                }
            }
            return null;
        }

        @Override
        public void close() {
            if (cursors == this) {
                cursors = other;
                return;
            }
            Cursor before = Objects.requireNonNull(cursors);
            while (before.other != this) {
                before = Objects.requireNonNull(before.other);
            }
            before.other = other;
        }
    }
}
