package dev.heddle.libraries;

import static dev.heddle.Heddle.mapEach;
import static dev.heddle.Heddle.spawn;
import static dev.heddle.Heddle.suspend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import dev.heddle.Heddle;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Logback, and what it attaches to the lines of one coroutine.
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
final class LogbackTest {
    private static final int CROWD = 1000;
    private static final String KEY = "request";

    private final Logger logger = (Logger) LoggerFactory.getLogger(LogbackTest.class);
    private final Lines lines = new Lines();

    @BeforeEach
    void listen() {
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        logger.addAppender(lines);
        lines.start();
    }

    @AfterEach
    void leave() {
        logger.detachAppender(lines);
    }

    @Test
    void everyLineHasTheContextOfItsOwnCoroutine() {
        var numbers = IntStream.range(0, CROWD).boxed().toList();

        Heddle.run(
                () ->
                        mapEach(
                                numbers,
                                CROWD,
                                number -> {
                                    MDC.put(KEY, "of " + number);
                                    suspend();
                                    logger.info("begin {}", number);
                                    suspend();
                                    logger.info("end {}", number);
                                    return number;
                                }));

        assertThat(lines.list)
                .hasSize(2 * CROWD)
                .allSatisfy(
                        line ->
                                assertThat(line.getMDCPropertyMap())
                                        .isEqualTo(
                                                Map.of(KEY, "of " + line.getArgumentArray()[0])));
    }

    @Test
    void theNextCoroutineBeginsWithAnEmptyContext() {
        Heddle.run(
                () -> {
                    MDC.put(KEY, "of main");
                    spawn(
                                    () -> {
                                        logger.info("first");
                                        // And leaves it there: its thread goes to the next.
                                        MDC.put(KEY, "of the first");
                                    })
                            .await();
                    spawn(() -> logger.info("second")).await();
                    logger.info("main");
                });

        assertThat(lines.list)
                .extracting(ILoggingEvent::getMessage, ILoggingEvent::getMDCPropertyMap)
                .isEqualTo(
                        List.of(
                                tuple("first", Map.of()),
                                tuple("second", Map.of()),
                                tuple("main", Map.of(KEY, "of main"))));
    }

    /// Keeps lines as what writes them at once would see them: the context is read on first use.
    private static final class Lines extends ListAppender<ILoggingEvent> {
        @Override
        protected void append(ILoggingEvent line) {
            line.prepareForDeferredProcessing();
            super.append(line);
        }
    }
}
