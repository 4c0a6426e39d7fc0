package dev.heddle.libraries;

import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;

import dev.heddle.Heddle;
import dev.heddle.Report;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.slf4j.LoggerFactory;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/// Logback in a class initialiser, while its appender is busy: the initialiser waits for the
/// appender's lock and cannot let go of the loop.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class InitialiserTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(InitialiserTest.class);

    private final SlowAppender appender = new SlowAppender();
    private final LinkedBlockingQueue<Report> reports = new LinkedBlockingQueue<>();

    /// Logs before it can be used.
    private static final class Talkative {
        static final String WORD;

        static {
            LOGGER.info("here I am");
            WORD = "ready";
        }
    }

    @BeforeEach
    void listen() {
        LOGGER.setLevel(Level.INFO);
        LOGGER.setAdditive(false);
        LOGGER.addAppender(appender);
        appender.start();
    }

    @AfterEach
    void leave() {
        LOGGER.detachAppender(appender);
    }

    @Test
    void aLoggersLockInAnInitialiserIsExplained() throws InterruptedException {
        // It has the lock, and keeps it until the report is there.
        Thread other = Thread.ofPlatform().start(() -> LOGGER.info("slow"));
        appender.begun.await();

        String word =
                Heddle.with()
                        .onReport(this::take)
                        .run(
                                () -> {
                                    var user = spawn("user", () -> Talkative.WORD);
                                    suspend();
                                    return user.await();
                                });

        other.join();
        assertThat(word).isEqualTo("ready");
        assertThat(reports)
                .anySatisfy(
                        report ->
                                assertThat(report.full())
                                        .contains("\"user\"")
                                        .contains(Talkative.class.getName())
                                        .contains("Logger.info"));
    }

    private void take(Report report) {
        reports.add(report);
        if (report.text().contains(Talkative.class.getName())) {
            appender.goOn.countDown();
        }
    }

    /// Takes its time for the first line.
    private static final class SlowAppender extends AppenderBase<ILoggingEvent> {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);

        @Override
        protected void append(ILoggingEvent line) {
            begun.countDown();
            try {
                goOn.await();
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
        }
    }
}
