/// The coroutine and memory suites, and our side of them.
@NullMarked
package dev.heddle.bench.coroutines;

import org.jspecify.annotations.NullMarked;
