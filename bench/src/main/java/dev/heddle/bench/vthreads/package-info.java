/// The JDK's virtual threads as a peer, on their default scheduler and with `java.util.concurrent`.
@NullMarked
package dev.heddle.bench.vthreads;

import org.jspecify.annotations.NullMarked;
