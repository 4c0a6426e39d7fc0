/// Events: what everything that can be waited for has in common, and the waker that waits.
///
/// An [Event] has subscribers, can be started and stopped, and tells its subscribers when it fires.
/// A [Waker] waits for one event, for two, or for many, on behalf of a coroutine. The kinds that
/// need only the loop live here; coroutines, promises and scopes are events too, one package up.
@NullMarked
package dev.heddle.event;

import org.jspecify.annotations.NullMarked;
