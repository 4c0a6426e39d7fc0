package dev.heddle.libraries;

import redis.clients.jedis.exceptions.JedisConnectionException;

import java.util.Optional;

final class JedisTest extends LibraryContract {
    JedisTest(RedisServer server) {
        super(new JedisLibrary(server));
    }

    @Override
    Optional<Class<? extends Throwable>> thrownWhenInterrupted() {
        return Optional.of(JedisConnectionException.class);
    }
}
