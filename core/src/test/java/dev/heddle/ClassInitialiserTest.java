package dev.heddle;

import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.heddle.testing.ChildJvm;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

/// Class initialisers that wait. They keep the thread that runs them, so the loop stands still:
/// that is explained within a second, also if nobody wants to hear of blocking.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class ClassInitialiserTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final String HERE = "dev.heddle.ClassInitialiserTest$";
    private static final AtomicReference<Semaphore> GATE = new AtomicReference<>(new Semaphore(0));
    private static final AtomicReference<CountDownLatch> BEGUN = new AtomicReference<>();

    // World asks for no reports of blocking.
    private final World world = World.real();
    private final List<Report> reports = new CopyOnWriteArrayList<>();

    private static void enter() {
        GATE.get().acquireUninterruptibly();
        GATE.get().release();
    }

    private static void holdWhileSleeping() {
        GATE.get().acquireUninterruptibly();
        delay(HOUR);
    }

    private Report blocked() {
        var all =
                world.reports().stream()
                        .filter(report -> report.kind() == Report.Kind.BLOCKED_LOOP)
                        .toList();
        assertEquals(1, all.size(), all::toString);
        return all.getFirst();
    }

    // Not in the class that is being initialised: the thread would need that class, too.
    private static String joinOne() {
        var result = new AtomicReference<>("");
        try {
            Thread.startVirtualThread(() -> result.set("joined")).join();
        } catch (InterruptedException never) {
            throw new AssertionError(never);
        }
        return result.get();
    }

    // ---- waits of ours ----

    @Test
    void aWaitOfOursEndsAlsoIfNobodyWantsToHearOfBlocking() {
        world.run(
                () -> {
                    var failed = assertThrows(ExceptionInInitializerError.class, Delays::touch);
                    assertInstanceOf(IllegalStateException.class, failed.getCause());
                });

        assertTrue(blocked().text().contains("the initialiser of " + HERE + "Delays"));
    }

    @Test
    void theOthersWhoNeedThatClassAreToldToo() {
        world.run(
                () -> {
                    var first = spawn(AlsoDelays::touch);
                    var second = spawn(AlsoDelays::touch);
                    second.observed();
                    assertThrows(ExceptionInInitializerError.class, () -> await(first));
                    assertThrows(NoClassDefFoundError.class, () -> await(second));
                });
    }

    @Test
    void whoComputesIsNotReportedIfNobodyWantsToHearOfIt() {
        world.run(
                () -> {
                    var watchdog = new Watchdog(Heddle.current().scheduler(), 0);
                    for (int i = 0; i < 100; i++) {
                        watchdog.look();
                    }
                });

        assertEquals(List.of(), world.reports());
    }

    // ---- waits of the JDK ----

    @Test
    void aLockThatACoroutineOfTheSameLoopHoldsIsReportedWithTheClassAndBothStacks() {
        GATE.set(new Semaphore(1));
        world.with(options -> options.onReport(this::keepAndOpen))
                .run(
                        () -> {
                            var holder = spawn("holder", () -> holdWhileSleeping());
                            suspend();
                            Locks.touch();
                            holder.cancel();
                        });

        var report = reports.get(0);
        assertTrue(report.text().startsWith("Coroutine #1 \"main\""), report.text());
        assertTrue(report.text().contains("the initialiser of " + HERE + "Locks"), report.text());
        assertTrue(
                report.stack().stream().anyMatch(frame -> frame.getMethodName().equals("enter")),
                report.full());
        assertTrue(report.text().contains("Coroutine #2 \"holder\""), report.text());
        assertTrue(report.text().contains("holdWhileSleeping"), report.text());
    }

    private void keepAndOpen(Report report) {
        reports.add(report);
        GATE.get().release();
    }

    @Test
    void aVirtualThreadThatIsJoinedRunsBesideTheLoop() {
        world.run(() -> assertEquals("joined", Joins.RESULT));

        assertEquals(List.of(), world.reports());
    }

    @Test
    void aClassThatAnotherThreadInitialisesIsNamedWithItsStack() throws InterruptedException {
        GATE.set(new Semaphore(0));
        var begun = new CountDownLatch(1);
        BEGUN.set(begun);
        var other = Thread.ofPlatform().name("initialiser").start(Elsewhere::touch);
        begun.await();
        world.with(options -> options.blockedAfter(Duration.ofMillis(20)))
                .with(options -> options.onReport(this::keepAndOpen))
                .run(Elsewhere::touch);
        other.join();

        var named =
                reports.stream()
                        .filter(report -> report.text().contains("class " + HERE + "Elsewhere"))
                        .findFirst()
                        .orElseThrow();
        assertTrue(named.text().contains("initialised by Thread[#"), named.text());
        assertTrue(named.text().contains("Elsewhere.<clinit>"), named.text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock", "monitor"})
    void whatCannotBeEndedIsReportedWithinASecond(String kind) throws Exception {
        assertEquals("explained", ChildJvm.run(Program.class, List.of(), kind).output().strip());
    }

    /// Hangs for ever, by a lock or a monitor. Ends itself when that is explained.
    static final class Program {
        private static final ReentrantLock LOCK = new ReentrantLock();
        private static final Object MONITOR = new Object();

        private Program() {}

        public static void main(String[] args) {
            boolean byLock = args[0].equals("lock");
            Heddle.with()
                    .blockedAfter(Duration.ZERO)
                    .onReport(Program::check)
                    .run(
                            () -> {
                                spawn(byLock ? () -> holdLock() : () -> holdMonitor());
                                suspend();
                                if (byLock) {
                                    NeedsLock.touch();
                                } else {
                                    NeedsMonitor.touch();
                                }
                            });
        }

        private static void holdLock() {
            LOCK.lock();
            delay(HOUR);
        }

        private static void holdMonitor() {
            synchronized (MONITOR) {
                delay(HOUR);
            }
        }

        private static void check(Report report) {
            boolean isExplained =
                    report.text().contains("the initialiser of " + HERE + "Program$Needs")
                            && report.text().contains("$Program.hold");
            System.out.println(isExplained ? "explained" : report.full());
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }

        private static final class NeedsLock {
            static {
                LOCK.lock();
            }

            static void touch() {}
        }

        private static final class NeedsMonitor {
            static {
                synchronized (MONITOR) {
                    MONITOR.notifyAll();
                }
            }

            static void touch() {}
        }
    }

    private static final class Delays {
        static {
            delay(HOUR);
        }

        static void touch() {}
    }

    private static final class AlsoDelays {
        static {
            delay(HOUR);
        }

        static void touch() {}
    }

    private static final class Locks {
        static {
            enter();
        }

        static void touch() {}
    }

    private static final class Joins {
        static final String RESULT = joinOne();
    }

    private static final class Elsewhere {
        static {
            BEGUN.get().countDown();
            enter();
        }

        static void touch() {}
    }
}
