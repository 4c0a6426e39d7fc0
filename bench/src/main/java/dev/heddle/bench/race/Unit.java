package dev.heddle.bench.race;

/// What a row's figures are, and which way is better.
///
/// **Thread:** immutable.
public enum Unit {
    NANOS("ns/op"),
    BYTES("B/op");

    private final String label;

    Unit(String label) {
        this.label = label;
    }

    public String label() {
        return label;
    }

    /// {@return how many times better ours is than theirs}
    ///
    /// All units so far are costs.
    public double ratio(double ours, double theirs) {
        return theirs / ours;
    }

    /// {@return the unit with this label}
    public static Unit parse(String label) {
        for (var unit : values()) {
            if (unit.label.equals(label)) {
                return unit;
            }
        }
        throw new IllegalArgumentException("no unit is called \"" + label + "\"");
    }
}
