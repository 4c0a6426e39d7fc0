/// What tests stand on: descriptors of the real kernel, kernels that fail on demand, leak checks.
package dev.heddle.testing;
