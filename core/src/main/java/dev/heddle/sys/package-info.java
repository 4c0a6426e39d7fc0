/// System calls through `java.lang.foreign`, and no more: no policy, no retries, no threads. Only
/// [dev.heddle.sys.AtomicField] is no call; all layers use it, so it lies in the lowest.
///
/// One class per facility, one method per call, C spelling for constants so that they can be found
/// in the manual pages. Every result is `>= 0` or `-errno`. [dev.heddle.sys.Sys] is the seam above
/// the static bindings: everything that talks to the kernel takes one, so that a test can wrap it.
@NullMarked
package dev.heddle.sys;

import org.jspecify.annotations.NullMarked;
