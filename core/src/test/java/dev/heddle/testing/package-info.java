/// What tests stand on: descriptors of the real kernel, and other threads.
package dev.heddle.testing;
