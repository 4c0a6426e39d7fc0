package dev.heddle.test;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.offload;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.heddle.Heddle;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;

/// In which orders coroutines run, and what no order may change.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ScheduleTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /// {@return what three coroutines that were ready at the same time wrote down}
    private static String orderOfThree(Simulation simulation) {
        var order = new StringBuilder();
        simulation.run(
                _ -> {
                    for (var name : List.of("a", "b", "c")) {
                        spawn(() -> order.append(name));
                    }
                });
        return order.toString();
    }

    @Test
    void firstInFirstOutUnlessASeedIsGiven() {
        assertEquals("abc", orderOfThree(Simulation.create()));
        var orders = new HashSet<String>();
        for (int seed = 0; seed < 100; seed++) {
            orders.add(orderOfThree(Simulation.create().seed(seed)));
            assertEquals(
                    "abc", orderOfThree(Simulation.create().schedule(Schedule.FIFO).seed(seed)));
        }
        assertEquals(6, orders.size());
    }

    @Test
    void randomTakesEveryOrderAboutAsOften() {
        int seeds = 6_000;
        var count = new TreeMap<String, Integer>();
        for (int seed = 0; seed < seeds; seed++) {
            count.merge(
                    orderOfThree(Simulation.create().schedule(Schedule.RANDOM).seed(seed)),
                    1,
                    Integer::sum);
        }
        // The seeds are fixed, so this is no matter of luck: six standard deviations are 173.
        assertEquals(6, count.size());
        assertThat(count.values()).allSatisfy(each -> assertThat(each).isBetween(827, 1173));
    }

    @Test
    void pctTakesEveryOrderToo() {
        var orders = new HashSet<String>();
        for (int seed = 0; seed < 300; seed++) {
            orders.add(orderOfThree(Simulation.create().schedule(Schedule.PCT).seed(seed)));
        }
        assertEquals(6, orders.size());
    }

    @ParameterizedTest
    @EnumSource(Schedule.class)
    void theSameSeedGivesTheSameTraceAndAnotherAnother(Schedule schedule) {
        var hashes = new HashSet<Long>();
        for (int seed = 0; seed < 100; seed++) {
            var simulation = Simulation.create().schedule(schedule).seed(seed);
            long hash = simulation.run(ScheduleTest::busy);
            assertEquals(hash, simulation.run(ScheduleTest::busy), "seed " + seed);
            hashes.add(hash);
        }
        if (schedule == Schedule.FIFO) {
            assertEquals(1, hashes.size());
        } else {
            assertThat(hashes).hasSizeGreaterThan(50);
        }
    }

    private static void busy(TestWorld world) {
        for (int i = 0; i < 5; i++) {
            Duration pause = Duration.ofMillis(i % 2);
            spawn(
                    () -> {
                        suspend();
                        delay(pause);
                        suspend();
                    });
        }
        delay(SECOND);
        assertEquals(SECOND, world.elapsed());
    }

    @ParameterizedTest
    @EnumSource(Schedule.class)
    void postedTasksKeepTheirOrder(Schedule schedule) {
        for (int seed = 0; seed < 200; seed++) {
            var order = new ArrayList<Integer>();
            Simulation.create()
                    .schedule(schedule)
                    .seed(seed)
                    .run(
                            _ -> {
                                for (int i = 0; i < 8; i++) {
                                    int number = i;
                                    Heddle.current().loop().post(() -> order.add(number));
                                    spawn(() -> suspend());
                                }
                            });
            assertEquals(List.of(0, 1, 2, 3, 4, 5, 6, 7), order, "seed " + seed);
        }
    }

    @ParameterizedTest
    @EnumSource(Schedule.class)
    void coroutinesOfHighPriorityRunFirst(Schedule schedule) {
        for (int seed = 0; seed < 200; seed++) {
            var order = new ArrayList<String>();
            Simulation.create()
                    .schedule(schedule)
                    .seed(seed)
                    .run(
                            _ -> {
                                for (int i = 0; i < 5; i++) {
                                    spawn(() -> order.add("usual"));
                                }
                                spawn(() -> order.add("urgent")).asHighPriority();
                            });
            assertEquals("urgent", order.getFirst(), "seed " + seed);
            assertEquals(6, order.size());
        }
    }

    @Test
    void timersOfTheSameMomentWakeInEveryOrder() {
        var orders = new HashSet<String>();
        for (int seed = 0; seed < 200; seed++) {
            var order = new StringBuilder();
            Simulation.create()
                    .seed(seed)
                    .run(
                            _ -> {
                                for (var name : List.of("a", "b", "c")) {
                                    spawn(
                                            () -> {
                                                delay(SECOND);
                                                order.append(name);
                                            });
                                }
                                delay(SECOND.multipliedBy(2));
                            });
            orders.add(order.toString());
        }
        assertEquals(6, orders.size());
    }

    @Test
    void offloadedWorkEndsInEveryOrderOfTheSeeds() {
        assertEquals("abc", orderOfOffloads(Simulation.create()));
        var orders = new HashSet<String>();
        for (int seed = 0; seed < 100; seed++) {
            var simulation = Simulation.create().seed(seed);
            String order = orderOfOffloads(simulation);
            assertEquals(order, orderOfOffloads(simulation));
            orders.add(order);
        }
        assertEquals(6, orders.size());
    }

    private static String orderOfOffloads(Simulation simulation) {
        var order = new StringBuilder();
        simulation.run(
                _ -> {
                    for (var name : List.of("a", "b", "c")) {
                        spawn(() -> order.append(offload(() -> name)));
                    }
                    delay(SECOND);
                });
        return order.toString();
    }

    @ParameterizedTest
    @EnumSource(Schedule.class)
    void whoeverSpinsUntilAnotherHasRunGetsThere(Schedule schedule) {
        for (int seed = 0; seed < 200; seed++) {
            var flag = new boolean[1];
            Simulation.create()
                    .schedule(schedule)
                    .seed(seed)
                    .run(
                            _ -> {
                                spawn(() -> flag[0] = true);
                                while (!flag[0]) {
                                    suspend();
                                }
                            });
        }
    }

    @Test
    void theWorldsChanceIsItsSeeds() {
        assertEquals(drawn(1), drawn(1));
        assertNotEquals(drawn(1), drawn(2));
    }

    private static List<Long> drawn(long seed) {
        var numbers = new ArrayList<Long>();
        Simulation.create()
                .seed(seed)
                .run(
                        world -> {
                            assertEquals(seed, world.seed());
                            for (int i = 0; i < 10; i++) {
                                numbers.add(world.random().nextLong());
                            }
                        });
        return numbers;
    }
}
