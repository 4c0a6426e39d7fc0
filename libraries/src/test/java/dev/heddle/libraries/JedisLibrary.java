package dev.heddle.libraries;

import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;

import java.time.Duration;

/// Jedis with its pool of eight and a maximum wait, which the guide asks for: see [JedisPoolTest].
///
/// **Thread:** any.
final class JedisLibrary implements Library {
    private static final Duration WAIT_MAX = Duration.ofMinutes(1);
    private static final double MILLIS_PER_SECOND = 1e3;

    private final RedisClient client;

    JedisLibrary(RedisServer server) {
        var config = new ConnectionPoolConfig();
        config.setMaxWait(WAIT_MAX);
        client = open(server, config);
    }

    static RedisClient open(RedisServer server, ConnectionPoolConfig config) {
        return RedisClient.builder()
                .hostAndPort("127.0.0.1", server.port)
                .poolConfig(config)
                .build();
    }

    /// {@return the number, by way of the server}
    static String echo(RedisClient client, int number) {
        String key = "key " + number;
        client.set(key, String.valueOf(number));
        return client.get(key);
    }

    @Override
    public String echo(int number) {
        return echo(client, number);
    }

    @Override
    public void block(Duration time) {
        client.blpop(time.toMillis() / MILLIS_PER_SECOND, "a list that is always empty");
    }

    @Override
    public void close() {
        client.close();
    }
}
