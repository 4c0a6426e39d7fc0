package dev.heddle.bench.race;

import java.util.Arrays;

/// A median and how far the rounds lay apart. The median, because on a shared machine some rounds
/// are spoilt by others, and one spoilt round moves a mean.
///
/// **Thread:** immutable.
public record Spread(double median, double min, double max) {
    /// @throws IllegalArgumentException if there are no values
    public static Spread of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no values, so no median");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median =
                sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /// {@return from the least to the greatest, as a part of the median}
    public double relative() {
        return median == 0 ? 0 : (max - min) / median;
    }
}
