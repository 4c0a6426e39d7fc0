package dev.heddle.examples;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;

/// Takes what is written to `System.out` and `System.err`, and what Heddle logs, until it is
/// closed. Only one may be open at a time.
final class Streams implements AutoCloseable {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final PrintStream outBefore = System.out;
    private final PrintStream errBefore = System.err;
    private final LogCapture log;

    Streams() {
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        log = new LogCapture(err);
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        log.close();
        System.setOut(outBefore);
        System.setErr(errBefore);
    }

    /// Takes what Heddle logs meanwhile: it belongs to what runs, and nobody wants it in the
    /// build's own output.
    private static final class LogCapture extends StreamHandler {
        private static final Logger LOGGER = Logger.getLogger("dev.heddle");

        LogCapture(OutputStream err) {
            super(err, new SimpleFormatter());
            // Not set back: reports are written by another thread, perhaps after the block's end.
            LOGGER.setUseParentHandlers(false);
            LOGGER.addHandler(this);
        }

        @Override
        public synchronized void publish(LogRecord report) {
            super.publish(report);
            flush();
        }

        @Override
        public synchronized void close() {
            LOGGER.removeHandler(this);
            super.close();
        }
    }
}
