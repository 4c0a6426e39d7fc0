/// Go as a peer: compiled when it is needed, run as a child that obeys lines.
@NullMarked
package dev.heddle.bench.go;

import org.jspecify.annotations.NullMarked;
