/// Concurrent code under test: `HeddleTest` runs a method as the main coroutine of a loop of its
/// own, in virtual time, under a seed, and checks that nothing is left.
///
/// `Simulation` is the same without JUnit; `CancelTorture` and `Property` are built on it.
@NullMarked
package dev.heddle.test;

import org.jspecify.annotations.NullMarked;
