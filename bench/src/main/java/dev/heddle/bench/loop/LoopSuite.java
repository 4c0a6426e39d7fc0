package dev.heddle.bench.loop;

import dev.heddle.bench.race.Peer;
import dev.heddle.bench.race.Row;
import dev.heddle.bench.race.TimedRow;
import dev.heddle.bench.race.Workload;
import dev.heddle.loop.LoopOptions;
import dev.heddle.reactor.Backend;

import java.util.ArrayList;
import java.util.List;

/// The rows of the loop suite, against libuv in C.
///
/// Other backends come last: once a second reactor is loaded the JIT can no longer take the first
/// for the only one, and no program uses two.
///
/// **Thread:** owner (the measuring thread).
public final class LoopSuite {
    public static final String NAME = "loop";

    private final Peer libuv;

    /// @param libuv the peer of every row
    public LoopSuite(Peer libuv) {
        this.libuv = libuv;
    }

    /// {@return its rows, in the order in which to run them}
    public List<Row> rows() {
        var rows = new ArrayList<Row>(rowsThatCount());
        rows.add(new AllocationRow(NAME, "turn-allocation"));
        rows.addAll(rowsThatExplain());
        return rows;
    }

    private List<TimedRow> rowsThatCount() {
        var epoll = Backend.EPOLL;
        return List.of(
                row("create-destroy", createDestroy(epoll)),
                row("wake", () -> new Wake(epoll)),
                row("wake-busy", () -> new WakeBusy(epoll)).byTiming(),
                row("wake-cross-thread", () -> new WakeCrossThread(epoll))
                        .against("bare-epoll", libuv, "wake-cross-thread-bare")
                        .byTiming()
                        .note(
                                "libuv 1.44 spins while its sender is preempted; bare-epoll is C"
                                        + " alone"),
                row("add-del", () -> new AddDel(epoll)),
                row("timer-single", () -> new Timers(epoll, 1)),
                row("timer-10", () -> new Timers(epoll, 10)),
                row("timer-100", () -> new Timers(epoll, 100)),
                row("timer-1000", () -> new Timers(epoll, 1000)),
                row("timer-million", () -> new TimerMillion(epoll)).note("per timer"),
                row("offload-1", () -> new Offload(epoll, 1)).byTiming(),
                row("offload-10", () -> new Offload(epoll, 10)).byTiming(),
                row("offload-100", () -> new Offload(epoll, 100)).byTiming(),
                row("offload-1000", () -> new Offload(epoll, 1000)).byTiming(),
                flood("post-flood", PipedLoop.options(epoll), PostFlood.Posts.TASKS)
                        .note("per task; libuv only counts, libuv-queue runs each task as we do"));
    }

    private List<TimedRow> rowsThatExplain() {
        var epoll = Backend.EPOLL;
        var rows = new ArrayList<TimedRow>();
        rows.add(
                named("create-destroy-lazy", "create-destroy", lazyCreateDestroy())
                        .note("no turn, so no kernel objects; libuv with its turn"));
        rows.add(
                flood("post-flood-runnables", PipedLoop.options(epoll), PostFlood.Posts.RUNNABLES)
                        .note("each post allocates"));
        rows.add(
                flood(
                                "post-flood-skip",
                                LoopOptions.defaults().backend(epoll),
                                PostFlood.Posts.TASKS)
                        .note("may leave out polls while tasks are ready"));
        for (var backend : List.of(Backend.URING, Backend.POLL)) {
            String end = backend == Backend.URING ? "-uring" : "-poll";
            rows.add(named("create-destroy" + end, "create-destroy", createDestroy(backend)));
            rows.add(named("wake" + end, "wake", () -> new Wake(backend)));
            rows.add(named("add-del" + end, "add-del", () -> new AddDel(backend)));
            rows.add(named("timer-single" + end, "timer-single", () -> new Timers(backend, 1)));
        }
        return rows.stream().map(TimedRow::informational).toList();
    }

    private TimedRow flood(String name, LoopOptions options, PostFlood.Posts posts) {
        return named(name, "post-flood", () -> new PostFlood(options, posts))
                .against(libuv.name() + "-queue", libuv, "post-flood-queue")
                .byTiming();
    }

    private TimedRow row(String name, Workload.Opener heddle) {
        return named(name, name, heddle);
    }

    private TimedRow named(String name, String peerWorkload, Workload.Opener heddle) {
        return TimedRow.of(NAME, name, heddle).against(libuv.name(), libuv, peerWorkload);
    }

    private static Workload.Opener createDestroy(Backend backend) {
        return () -> new CreateDestroy(backend, CreateDestroy.Turns.ONE);
    }

    private static Workload.Opener lazyCreateDestroy() {
        return () -> new CreateDestroy(Backend.EPOLL, CreateDestroy.Turns.LAZY);
    }
}
