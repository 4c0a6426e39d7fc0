package dev.heddle.bench.loop;

import dev.heddle.bench.race.Check;
import dev.heddle.loop.Loop;
import dev.heddle.loop.Task;
import dev.heddle.loop.Timer;
import dev.heddle.loop.Watch;
import dev.heddle.reactor.Backend;
import dev.heddle.reactor.Interest;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/// turn-allocation: a turn of a loop at work, one posted task, one timer without delay and one pipe
/// that is ready. It should allocate nothing.
///
/// **Thread:** owner (JMH's worker).
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class SteadyTurn {
    private PipedLoop piped;
    private PipePair pipe;
    private Task task;
    private Timer timer;
    private long turns;
    private long ready;
    private long ran;
    private long fired;

    public SteadyTurn() {}

    @Setup
    public void open() throws IOException {
        piped = PipedLoop.open(Backend.EPOLL);
        pipe = PipePair.open();
        pipe.fill();
        Loop loop = piped.loop();
        // Level, and never read: ready in every turn.
        loop.watch(pipe.readEnd(), Interest.READ | Interest.LEVEL, this::onReady);
        task = new Counted();
        timer = loop.timer(() -> fired++);
    }

    @Benchmark
    public int turn() throws IOException {
        turns++;
        piped.loop().post(task);
        timer.startNanos(0, 0);
        return piped.loop().runNowait();
    }

    @TearDown
    public void close() throws IOException {
        piped.close();
        pipe.close();
        Check.count("pipe events", ready, turns);
        Check.count("tasks run", ran, turns);
        Check.count("timers fired", fired, turns);
    }

    private void onReady(Watch watch, int bits) {
        ready++;
    }

    private final class Counted extends Task {
        @Override
        protected void run() {
            ran++;
        }
    }
}
