package dev.heddle.test;

import dev.heddle.Coroutine;
import dev.heddle.CoroutineState;
import dev.heddle.Heddle;
import dev.heddle.Probe;
import dev.heddle.loop.Loop;
import dev.heddle.loop.Work;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// What the kit sees of a program: keeps the trace, and finds calls that block for real in virtual
/// time, and coroutines that keep it from passing.
///
/// **Thread:** loop, except what is marked.
final class Watching implements Probe {
    private static final Probe NOBODY = new Probe() {};

    private final TestWorld world;
    private final Spinning spinning = new Spinning();
    private Probe next = NOBODY;
    private @Nullable Coroutine<?> settler;
    private @Nullable Coroutine<?> checker;
    private List<String> leftAtEnd = List.of();
    private String passedBy = "";

    // Any thread. Those at its head that have ended are taken out when one is added.
    private final Queue<Work<?>> works = new ConcurrentLinkedQueue<>();

    // Written by the loop, read by whoever guards it: a loop that hangs cannot say who runs.
    private volatile @Nullable Coroutine<?> lastRun;

    // Written by whoever guards it.
    private volatile boolean givenUp;

    Watching(TestWorld world) {
        this.world = world;
    }

    /// Passes everything on to `probe` as well.
    void then(Probe probe) {
        next = probe;
    }

    /// The scenario has ended and this coroutine looks for what is left: what it does from now on
    /// is not the scenario's, and is not passed on.
    void leaveAlone(Coroutine<?> main) {
        checker = main;
    }

    private Probe nextOf(Coroutine<?> coroutine) {
        return coroutine == checker ? NOBODY : next;
    }

    // In virtual time they are part of what a seed decides, and of what time waits for.
    @Override
    public boolean carriesStrangers() {
        return world.isVirtual();
    }

    @Override
    public void begins(Loop loop) {
        world.begins(loop);
    }

    @Override
    public void suspends(Coroutine<?> coroutine) {
        nextOf(coroutine).suspends(coroutine);
    }

    @Override
    public void lingers(Coroutine<?> coroutine) {
        if (world.isVirtual() && spinning.isStuck(coroutine, world.nanos())) {
            world.letTimePass();
            spinning.movedTo(world.nanos());
        }
        nextOf(coroutine).lingers(coroutine);
    }

    /// The coroutine that calls lets all others run until they are done.
    void settles(@Nullable Coroutine<?> coroutine) {
        settler = coroutine;
    }

    /// {@return whether whoever could be waited for only spins}
    boolean onlySpins() {
        return spinning.isAllThatRuns();
    }

    @Override
    public void submitted(Work<?> work) {
        for (var oldest = works.peek();
                oldest != null && !isPending(oldest) && works.remove(oldest);
                oldest = works.peek()) {}
        works.add(work);
        next.submitted(work);
    }

    /// {@return the work that workers have not ended}
    List<Work<?>> pendingWork() {
        return works.stream().filter(Watching::isPending).<Work<?>>map(work -> work).toList();
    }

    private static boolean isPending(Work<?> work) {
        return switch (work.state()) {
            case QUEUED, RUNNING -> true;
            case DONE, CANCELLED -> false;
        };
    }

    @Override
    public void parked(Coroutine<?> coroutine) {
        nextOf(coroutine).parked(coroutine);
    }

    /// Ends the program at its next turn, whatever its coroutines catch. Any thread.
    void giveUp() {
        givenUp = true;
    }

    @Override
    public void runs(Coroutine<?> coroutine) {
        if (givenUp) {
            throw new AssertionError("the test was given up");
        }
        lastRun = coroutine;
        spinning.runs(coroutine, coroutine == settler);
        world.trace().ran(world.nanos(), coroutine);
        nextOf(coroutine).runs(coroutine);
    }

    /// {@return who ran last. Any thread}
    @Nullable Coroutine<?> lastRun() {
        return lastRun;
    }

    /// {@return who was in a call of the JDK, and which, when virtual time passed for the first
    /// time; nothing if that never was}
    String passedBy() {
        return passedBy;
    }

    /// {@return what was still started when the program had ended, in words}
    List<String> leftAtEnd() {
        return leftAtEnd;
    }

    @Override
    public void ends(Loop loop) {
        // Else the timers are those of the coroutines that are left, and these are reported.
        if (Heddle.coroutines().isEmpty()) {
            leftAtEnd = Leftovers.started(loop);
        }
        next.ends(loop);
    }

    @Override
    public void ended(Coroutine<?> coroutine, int left) {
        spinning.ended(coroutine);
        next.ended(coroutine, left);
    }

    @Override
    public void idles(long timeoutNanos, int inJdkCalls) {
        if (inJdkCalls > 0 && world.isVirtual()) {
            for (var each : Heddle.coroutines()) {
                if (each.state() == CoroutineState.IN_JDK_CALL) {
                    boolean passes = RealBlocking.check(each, timeoutNanos, world.loop());
                    if (passes && passedBy.isEmpty()) {
                        passedBy = each.name() + " was in " + RealBlocking.where(each.stack());
                    }
                }
            }
        }
        next.idles(timeoutNanos, inJdkCalls);
    }
}
