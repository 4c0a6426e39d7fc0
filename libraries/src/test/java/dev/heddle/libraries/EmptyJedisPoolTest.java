package dev.heddle.libraries;

import java.util.Optional;

final class EmptyJedisPoolTest extends LibraryContract {
    EmptyJedisPoolTest(RedisServer server) {
        super(new EmptyJedisPoolLibrary(server));
    }

    @Override
    Optional<Class<? extends Throwable>> thrownWhenInterrupted() {
        return Optional.of(InterruptedException.class);
    }
}
