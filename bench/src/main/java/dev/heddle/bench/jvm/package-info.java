/// Sides that are libraries on the JVM, each in a JVM of its own.
///
/// Not all in one: there the sides would share more than a machine. Virtual threads of two
/// schedulers would run through the same code of the JDK, and the JIT would compile it for both,
/// which no program needs; and one side's garbage would be collected in the other's time. Heddle's
/// own side runs in such a JVM, too.
@NullMarked
package dev.heddle.bench.jvm;

import org.jspecify.annotations.NullMarked;
