/// What tests stand on: descriptors of the real kernel, other threads, leak checks.
package dev.heddle.testing;
