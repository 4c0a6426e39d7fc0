/// The command line: `run` compiles and starts a program, `doctor` says what this machine offers.
@NullMarked
package dev.heddle.cli;

import org.jspecify.annotations.NullMarked;
