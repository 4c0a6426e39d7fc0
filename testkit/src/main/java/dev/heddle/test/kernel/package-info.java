/// A kernel for tests: simulated descriptors in virtual time behind the calls that the reactors
/// make, and kernels that count calls or fail on demand in front of it or of the real one.
@NullMarked
package dev.heddle.test.kernel;

import org.jspecify.annotations.NullMarked;
