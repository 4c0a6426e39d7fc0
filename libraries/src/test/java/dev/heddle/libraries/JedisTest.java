package dev.heddle.libraries;

final class JedisTest extends LibraryContract {
    JedisTest(RedisServer server) {
        super(new JedisLibrary(server));
    }
}
