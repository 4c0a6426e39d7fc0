package dev.heddle.libraries;

final class EmptyJedisPoolTest extends LibraryContract {
    EmptyJedisPoolTest(RedisServer server) {
        super(new EmptyJedisPoolLibrary(server));
    }
}
