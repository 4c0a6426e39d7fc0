/// The loop engine: a reactor, a queue of ready tasks, a heap of timers, and an inbox for other
/// threads. Knows nothing of coroutines.
@NullMarked
package dev.heddle.loop;

import org.jspecify.annotations.NullMarked;
