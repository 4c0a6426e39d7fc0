/// As much of JSON as result files need.
@NullMarked
package dev.heddle.bench.json;

import org.jspecify.annotations.NullMarked;
