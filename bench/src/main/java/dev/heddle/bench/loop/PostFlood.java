package dev.heddle.bench.loop;

import dev.heddle.bench.race.Check;
import dev.heddle.bench.race.Meter;
import dev.heddle.bench.race.Workload;
import dev.heddle.loop.Loop;
import dev.heddle.loop.LoopOptions;
import dev.heddle.loop.Task;

import java.io.IOException;
import java.util.Arrays;

/// post-flood: two threads post a million tasks to one loop, which runs until it has run them all.
/// One operation is one task.
///
/// libuv has no such queue. Its column counts: each sender increments a counter and rings an async,
/// whose callback looks at the counter, so that most of the million cause nothing. The column
/// `libuv-queue` does the same work as we: a list under a mutex, and every task's callback is run.
///
/// **Thread:** owner (the measuring thread).
final class PostFlood implements Workload {
    private static final int POSTERS = 2;
    private static final int TASKS = 1_000_000;

    /// What is posted.
    enum Posts {
        /// Tasks that were made beforehand: nothing is allocated, as in C.
        TASKS,
        /// One shared `Runnable`, as most programs post: each post allocates the task around it.
        RUNNABLES
    }

    private final PipedLoop piped;
    private final Loop loop;
    private final Posts posts;
    private final Task[] tasks = new Task[TASKS];
    private final Posters posters;

    // Loop thread only.
    private int ran;

    PostFlood(LoopOptions options, Posts posts) throws IOException {
        this.posts = posts;
        Arrays.setAll(tasks, _ -> new Counted());
        piped = PipedLoop.open(options);
        piped.watch().ref();
        loop = piped.loop();
        posters = new Posters(POSTERS, this::postAll);
    }

    @Override
    public int operations() {
        return TASKS;
    }

    @Override
    public void batch(Meter meter) throws IOException {
        ran = 0;
        posters.release();
        loop.run();
        Check.count("tasks run", ran, TASKS);
    }

    @Override
    public void close() throws IOException {
        posters.close();
        piped.close();
    }

    private void postAll(int number) {
        int share = TASKS / POSTERS;
        switch (posts) {
            case TASKS -> {
                for (int i = number * share; i < (number + 1) * share; i++) {
                    loop.post(tasks[i]);
                }
            }
            case RUNNABLES -> {
                Runnable runnable = this::count;
                for (int i = 0; i < share; i++) {
                    loop.post(runnable);
                }
            }
        }
    }

    private void count() {
        if (++ran == TASKS) {
            loop.stop();
        }
    }

    private final class Counted extends Task {
        @Override
        protected void run() {
            count();
        }
    }
}
