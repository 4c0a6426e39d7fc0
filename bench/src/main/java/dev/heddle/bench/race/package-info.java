/// How rows are measured: rounds by turns, medians of the ratios, peers of any kind. Knows nothing
/// of what is measured.
@NullMarked
package dev.heddle.bench.race;

import org.jspecify.annotations.NullMarked;
