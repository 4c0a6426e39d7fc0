/// Descriptors and readiness, and nothing else: one interface, one file per backend.
@NullMarked
package dev.heddle.reactor;

import org.jspecify.annotations.NullMarked;
