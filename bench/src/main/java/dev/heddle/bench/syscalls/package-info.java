/// System calls per operation: counted with strace, kept in a file, compared.
@NullMarked
package dev.heddle.bench.syscalls;

import org.jspecify.annotations.NullMarked;
