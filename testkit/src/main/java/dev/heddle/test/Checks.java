package dev.heddle.test;

import dev.heddle.Heddle;
import dev.heddle.reactor.Backend;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// Whether what an annotation says makes sense.
///
/// **Thread:** any.
final class Checks {
    /// What the simulated kernel can play.
    static final Set<Backend> SIMULATED = EnumSet.of(Backend.SIM, Backend.EPOLL, Backend.POLL);

    private Checks() {}

    static Duration limit(int seconds) {
        if (seconds < 1) {
            throw new IllegalArgumentException(
                    "limitSeconds must be at least 1, but is " + seconds);
        }
        return Duration.ofSeconds(seconds);
    }

    static void seeds(HeddleTest how) {
        if (how.seeds() < 1) {
            throw new IllegalArgumentException("seeds must be at least 1, but is " + how.seeds());
        }
        if (how.seeds() > 1 && how.seed().length > 0) {
            throw new IllegalArgumentException(
                    "either seeds = "
                            + how.seeds()
                            + " or seed = …, not both: seed is for replaying");
        }
        for (var backend : how.backends()) {
            backend(backend, how.virtualTime());
        }
    }

    static void backend(Backend backend, boolean virtualTime) {
        if (virtualTime && !SIMULATED.contains(backend)) {
            throw new IllegalArgumentException(
                    "in virtual time the backend must be one of "
                            + SIMULATED
                            + ", but is "
                            + backend
                            + "; with virtualTime = false it may be any other");
        }
        if (!virtualTime && backend == Backend.SIM) {
            throw new IllegalArgumentException(
                    "in real time the backend cannot be " + backend + ", which has none");
        }
    }

    /// @throws IllegalStateException inside a coroutine, whose world would be used instead of a new
    ///   one
    static void outsideOfCoroutines() {
        if (Thread.currentThread().isVirtual()) {
            currentName()
                    .ifPresent(
                            name -> {
                                throw new IllegalStateException(
                                        "a simulation cannot begin inside a coroutine ("
                                                + name
                                                + "): run it on a thread of its own");
                            });
        }
    }

    private static Optional<String> currentName() {
        try {
            return Optional.of(Heddle.current().name());
        } catch (IllegalStateException outside) {
            return Optional.empty();
        }
    }
}
