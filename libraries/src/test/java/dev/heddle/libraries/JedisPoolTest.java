package dev.heddle.libraries;

import static dev.heddle.Heddle.mapEach;
import static dev.heddle.Heddle.spawn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.Heddle;
import dev.heddle.Report;

import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.apache.commons.pool2.impl.GenericObjectPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.ExtendWith;

import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.RedisClient;

import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/// Jedis' pool as it is by default: whoever finds it empty waits without end.
///
/// That wait is harmless. What is not is the one before it, if the pool is full only with
/// connections that are still being made: commons-pool2, from 2.12.1 to 2.13.1 at least, waits for
/// them in a loop that never blocks. On a loop the one that makes the connection then never gets to
/// run. A maximum wait, or a pool that is filled before it is used, avoids it; the guide says so.
@ExtendWith(Servers.class)
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class JedisPoolTest {
    private static final int CROWD = 1000;

    @Test
    void anEndlessWaitForAFilledPoolEndsForAll(RedisServer server) throws Exception {
        try (RedisClient client = JedisLibrary.open(server, new ConnectionPoolConfig())) {
            client.getPool().addObjects(client.getPool().getMaxTotal());
            var numbers = IntStream.range(0, CROWD).boxed().toList();

            List<String> answers =
                    Heddle.run(
                            () ->
                                    mapEach(
                                            numbers,
                                            CROWD,
                                            number -> JedisLibrary.echo(client, number)));

            assertThat(answers).isEqualTo(numbers.stream().map(String::valueOf).toList());
        }
    }

    /// When this fails, commons-pool2 has got better, and the guide needs no warning any more.
    @Test
    void whileAConnectionIsBeingMadeAnEndlessWaitKeepsTheLoopAndIsReported() throws Exception {
        var factory = new SlowFactory();
        var reports = new ConcurrentLinkedQueue<Report>();
        try (var pool = new GenericObjectPool<>(factory)) {
            pool.setMaxTotal(1);
            Thread maker = Thread.ofPlatform().start(() -> borrowAndReturn(pool));
            factory.begun.await();

            Heddle.with()
                    .onReport(
                            report -> {
                                reports.add(report);
                                factory.goOn.countDown();
                            })
                    .run(() -> spawn(() -> borrowAndReturn(pool)).await());

            maker.join();
        }
        assertThat(reports.element().kind()).isEqualTo(Report.Kind.BLOCKED_LOOP);
        assertThat(reports.element().full()).contains("GenericObjectPool.create(");
    }

    private static void borrowAndReturn(GenericObjectPool<String> pool) {
        try {
            pool.returnObject(pool.borrowObject());
        } catch (Exception unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    /// Makes what it is asked for when it is told to.
    private static final class SlowFactory extends BasePooledObjectFactory<String> {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);

        @Override
        public String create() throws InterruptedException {
            begun.countDown();
            goOn.await();
            return "a connection";
        }

        @Override
        public PooledObject<String> wrap(String made) {
            return new DefaultPooledObject<>(made);
        }
    }
}
