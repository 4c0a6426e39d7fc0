package dev.heddle.libraries;

import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;

import java.time.Duration;
import java.util.NoSuchElementException;

/// The wait for a connection of Jedis' pool, when all are taken.
///
/// **Thread:** any.
final class EmptyJedisPoolLibrary implements Library {
    private final JedisLibrary other;
    private final RedisClient empty;
    private final Connection taken;

    EmptyJedisPoolLibrary(RedisServer server) {
        other = new JedisLibrary(server);
        var config = new ConnectionPoolConfig();
        config.setMaxTotal(1);
        empty = JedisLibrary.open(server, config);
        taken = empty.getPool().getResource();
    }

    @Override
    public String echo(int number) {
        return other.echo(number);
    }

    @Override
    public void block(Duration time) throws Exception {
        try (var connection = empty.getPool().borrowObject(time)) {
            throw new AssertionError("it was taken, and here it is: " + connection);
        } catch (NoSuchElementException expected) {
            // Nobody gave it back in that time: that is what was asked for.
        }
    }

    @Override
    public void close() {
        taken.close();
        empty.close();
        other.close();
    }
}
