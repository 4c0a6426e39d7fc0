package dev.heddle.reactor;

/// What to watch a descriptor for, and what was found, as bits of an `int`.
///
/// Ints, not an `EnumSet`: a poll fills thousands of these a second and must not allocate. The
/// first three are asked for and reported; [#HUP] is only reported; [#LEVEL] is only asked for.
///
/// **Thread:** immutable.
public final class Interest {
    /// Nothing: stays registered, is never reported and never spins.
    public static final int NONE = 0;

    /// There is something to read, or an end of stream to find.
    public static final int READ = 1;

    /// There is room to write.
    public static final int WRITE = 2;

    /// Urgent data (`MSG_OOB`), or whatever the kernel calls an exceptional condition.
    public static final int PRIORITY = 4;

    /// The peer hung up, or the descriptor has an error. Reported whatever was asked for (unless
    /// that was nothing) and always together with [#READ] and [#WRITE], so that a pending read or
    /// write runs and finds the end or the error.
    public static final int HUP = 8;

    /// Report on every poll while the condition holds, instead of once per change.
    public static final int LEVEL = 16;

    /// What is reported for a hang-up or an error: go and look, both ways.
    static final int HUNG_UP = HUP | READ | WRITE;

    static final int DIRECTIONS = READ | WRITE | PRIORITY;
    private static final int ASKED = DIRECTIONS | LEVEL;

    private Interest() {}

    /// {@return `interest`, if every bit of it may be asked for}
    ///
    /// @throws IllegalArgumentException otherwise, naming the bits
    public static int check(int interest) {
        if ((interest & ~ASKED) != 0) {
            throw new IllegalArgumentException(
                    "interest may hold READ (1), WRITE (2), PRIORITY (4) and LEVEL (16), but is "
                            + interest);
        }
        return interest;
    }

    /// {@return the bits by name, such as `READ|HUP`}
    public static String describe(int bits) {
        if (bits == NONE) {
            return "NONE";
        }
        var text = new StringBuilder();
        String[] names = {"READ", "WRITE", "PRIORITY", "HUP", "LEVEL"};
        for (int i = 0; i < names.length; i++) {
            if ((bits & (1 << i)) != 0) {
                text.append(text.isEmpty() ? "" : "|").append(names[i]);
            }
        }
        return text.toString();
    }
}
