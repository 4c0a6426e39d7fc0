/// The loop suite: what an event loop does, without coroutines. One class per workload; its C twin
/// has the same name in `bench/src/main/c`.
@NullMarked
package dev.heddle.bench.loop;

import org.jspecify.annotations.NullMarked;
