package dev.heddle;

import static dev.heddle.Heddle.delay;
import static dev.heddle.Heddle.suspend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.time.Duration;
import java.util.List;

/// Zombies do not go on unseen.
@Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
final class ZombieLogTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final World world = World.virtual();

    private static void leaveBehind(int count, Duration life) {
        var scope = new Scope();
        for (int i = 0; i < count; i++) {
            scope.spawn("z" + i, () -> liveFor(life));
        }
        suspend();
        scope.close();
    }

    private static void liveFor(Duration life) {
        delay(life);
    }

    @Test
    void whoBecomesOneIsReportedWithReasonAndStack() {
        world.run(() -> leaveBehind(1, SECOND));

        assertEquals(1, world.reports().size());
        var report = world.reports().getFirst();
        assertEquals(Report.Kind.ZOMBIE, report.kind());
        assertTrue(report.text().startsWith("zombie (scope closed): Coroutine #2 \"z0\""));
        assertTrue(
                report.stack().stream().anyMatch(each -> each.getMethodName().equals("liveFor")),
                report.full());
    }

    @Test
    void whoLivesOnIsReportedEveryTenSecondsUntilItEnds() {
        world.run(
                () -> {
                    leaveBehind(1, SECOND.multipliedBy(35));
                    delay(SECOND.multipliedBy(100));
                });

        var texts = world.reports(Report.Kind.ZOMBIE);
        assertEquals(4, texts.size(), texts.toString());
        assertTrue(texts.getLast().startsWith("still a zombie: Coroutine #2"), texts.getLast());
        assertTrue(
                world.reports().getLast().stack().stream()
                        .anyMatch(each -> each.getMethodName().equals("liveFor")));
    }

    @Test
    void thePeriodCanBeSet() {
        world.with(options -> options.zombieLogEvery(SECOND))
                .run(
                        () -> {
                            leaveBehind(1, SECOND.multipliedBy(5).plusMillis(1));
                            delay(SECOND.multipliedBy(100));
                        });

        assertEquals(6, world.reports().size());
    }

    @Test
    void ofManyTheFirstTenAreShownAndTheRestIsToldByNumber() {
        world.run(
                () -> {
                    leaveBehind(1000, SECOND.multipliedBy(15));
                    delay(SECOND.multipliedBy(20));
                });

        var texts = world.reports(Report.Kind.ZOMBIE);
        assertEquals(22, texts.size());
        assertEquals("990 more became zombies", texts.get(10));
        assertTrue(texts.get(11).contains("\"z0\""), texts.get(11));
        assertEquals("990 more are still zombies", texts.get(21));
    }

    @Test
    void whoBecomesOneLaterIsShownAgain() {
        world.run(
                () -> {
                    for (int i = 0; i < 3; i++) {
                        leaveBehind(10, SECOND);
                        delay(SECOND.multipliedBy(2));
                    }
                });

        assertEquals(30, world.reports().size());
        assertEquals(
                List.of(),
                world.reports().stream().filter(each -> each.stack().isEmpty()).toList());
    }

    @Test
    void theLogDoesNotKeepTheProgramAlive() {
        world.run(() -> leaveBehind(1, Duration.ofHours(1)));

        assertEquals(Duration.ZERO, world.elapsed());
    }
}
