/// What becomes of the figures: a table, a JSON file, a chart.
@NullMarked
package dev.heddle.bench.report;

import org.jspecify.annotations.NullMarked;
