package dev.heddle.bench.report;

import dev.heddle.bench.race.Unit;

import java.util.Locale;

/// Numbers as people read them: three digits and a fitting unit.
///
/// **Thread:** any.
final class Figures {
    private static final String[] TIME_UNITS = {"ns", "µs", "ms", "s"};

    private Figures() {}

    static String of(Unit unit, double value) {
        return switch (unit) {
            case NANOS -> time(value);
            case BYTES -> bytes(value);
        };
    }

    static String time(double nanos) {
        if (Double.isNaN(nanos)) {
            return "-";
        }
        double value = nanos;
        int unit = 0;
        while (value >= 999.5 && unit < TIME_UNITS.length - 1) {
            value /= 1000;
            unit++;
        }
        return threeDigits(value) + " " + TIME_UNITS[unit];
    }

    // Small ones are averages of next to nothing, large ones are whole objects.
    private static String bytes(double bytes) {
        return bytes < 10
                ? String.format(Locale.ROOT, "%.3f B", bytes)
                : String.format(Locale.ROOT, "%.0f B", bytes);
    }

    static String ratio(double ratio) {
        return Double.isNaN(ratio) ? "-" : String.format(Locale.ROOT, "%.2f", ratio);
    }

    private static String threeDigits(double value) {
        int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
