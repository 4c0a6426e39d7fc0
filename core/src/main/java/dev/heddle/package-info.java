/// What users import: [Heddle] runs, spawns and awaits; [Coroutine], [Scope] and their kin.
///
/// A coroutine is a virtual thread whose scheduler is an event loop, so everything between two
/// suspension points runs alone.
@NullMarked
package dev.heddle;

import org.jspecify.annotations.NullMarked;
