package dev.heddle.reactor;

/// A caller's buffer that [Reactor#poll] fills: token and ready bits of each event.
///
/// Two arrays instead of an array of objects, so that a poll allocates nothing.
///
/// **Thread:** owner (whoever polls with it).
public final class ReadyEvents {
    private final long[] tokens;
    private final int[] bits;
    private int count;

    public ReadyEvents(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity must be positive, but is " + capacity);
        }
        tokens = new long[capacity];
        bits = new int[capacity];
    }

    public int capacity() {
        return tokens.length;
    }

    public int count() {
        return count;
    }

    /// {@return what the descriptor of event `index` was registered with}
    public long token(int index) {
        return tokens[index];
    }

    /// {@return the ready bits of event `index`: see [Interest]}
    public int bits(int index) {
        return bits[index];
    }

    public boolean readable(int index) {
        return (bits[index] & Interest.READ) != 0;
    }

    public boolean writable(int index) {
        return (bits[index] & Interest.WRITE) != 0;
    }

    public boolean priority(int index) {
        return (bits[index] & Interest.PRIORITY) != 0;
    }

    public boolean hup(int index) {
        return (bits[index] & Interest.HUP) != 0;
    }

    void clear() {
        count = 0;
    }

    boolean isFull() {
        return count == tokens.length;
    }

    void add(long token, int ready) {
        tokens[count] = token;
        bits[count] = ready;
        count++;
    }

    /// Adds ready bits to event `index`, for backends whose kernel reports directions one by one.
    void merge(int index, int ready) {
        bits[index] |= ready;
    }

    @Override
    public String toString() {
        var text = new StringBuilder("ReadyEvents[");
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : ", ").append(tokens[i]).append(':');
            text.append(Interest.describe(bits[i]));
        }
        return text.append(']').toString();
    }
}
