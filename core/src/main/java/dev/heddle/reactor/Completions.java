package dev.heddle.reactor;

/// A caller's buffer for completions of a [Ring]: tag, result and flags of each.
///
/// **Thread:** loop.
public final class Completions {
    private final long[] tags;
    private final int[] results;
    private final int[] flags;
    private int count;

    public Completions(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be positive, but is " + capacity);
        }
        tags = new long[capacity];
        results = new int[capacity];
        flags = new int[capacity];
    }

    public int count() {
        return count;
    }

    /// {@return the tag that completion `index` was prepared with}
    public long tag(int index) {
        return tags[index];
    }

    /// {@return what the operation gave: `>= 0` or `-errno`}
    public int result(int index) {
        return results[index];
    }

    /// {@return the kernel's flags (`IORING_CQE_F_…`)}
    public int flags(int index) {
        return flags[index];
    }

    /// Empties the buffer, after every entry was handled.
    public void clear() {
        count = 0;
    }

    boolean isFull() {
        return count == tags.length;
    }

    void add(long tag, int result, int flag) {
        tags[count] = tag;
        results[count] = result;
        flags[count] = flag;
        count++;
    }
}
