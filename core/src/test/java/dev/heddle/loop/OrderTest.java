package dev.heddle.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.reactor.SimReactor;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// What an order may choose, and what it may not change.
class OrderTest {
    private final List<String> ran = new ArrayList<>();

    private final class Note extends Task {
        private final String text;
        private final boolean independent;

        Note(String text, boolean independent) {
            this.text = text;
            this.independent = independent;
        }

        @Override
        protected boolean isIndependent() {
            return independent;
        }

        @Override
        protected void run() {
            ran.add(text);
        }
    }

    private List<String> run(Order order, Task... tasks) throws IOException {
        var sim = new SimReactor();
        try (var loop = Loop.open(LoopOptions.defaults().reactor(sim, sim::nanos).order(order))) {
            for (var task : tasks) {
                loop.post(task);
            }
            loop.run();
        }
        return ran;
    }

    private static int last(List<? extends Task> ready) {
        return ready.size() - 1;
    }

    @Test
    void independentTasksRunAsTheOrderSays() throws IOException {
        assertThat(run(OrderTest::last, note("a"), note("b"), note("c")))
                .containsExactly("c", "b", "a");
    }

    @Test
    void tasksThatAreNotIndependentKeepTheirOrder() throws IOException {
        assertThat(run(OrderTest::last, posted("1"), note("a"), posted("2"), note("b")))
                .containsExactly("b", "a", "1", "2");
    }

    @Test
    void urgentTasksComeBeforeWhateverTheOrderSays() throws IOException {
        var sim = new SimReactor();
        var options = LoopOptions.defaults().reactor(sim, sim::nanos).order(OrderTest::last);
        try (var loop = Loop.open(options)) {
            loop.post(note("a"));
            loop.post(note("b"));
            loop.post(() -> loop.enqueueFirst(note("urgent")));
            loop.run();
        }
        assertThat(ran).containsExactly("urgent", "b", "a");
    }

    @Test
    void whatATaskCausesCanBeChosenBeforeWhatWasReady() throws IOException {
        var sim = new SimReactor();
        var options = LoopOptions.defaults().reactor(sim, sim::nanos).order(OrderTest::last);
        try (var loop = Loop.open(options)) {
            loop.post(note("first"));
            loop.post(() -> loop.enqueue(note("caused")));
            loop.run();
        }
        assertThat(ran).containsExactly("caused", "first");
    }

    @Test
    void anOrderOutOfRangeIsReportedAndLosesNothing() throws IOException {
        var sim = new SimReactor();
        var told = new ArrayList<Throwable>();
        var asked = new int[1];
        var options =
                LoopOptions.defaults()
                        .reactor(sim, sim::nanos)
                        .onError((error, _) -> told.add(error))
                        .order(ready -> asked[0]++ == 0 ? ready.size() : 0);
        try (var loop = Loop.open(options)) {
            loop.post(note("a"));
            assertThat(catchThrowable(loop)).isInstanceOf(IndexOutOfBoundsException.class);
            loop.run();
        }
        assertThat(ran).containsExactly("a");
        assertThat(told).isEmpty();
    }

    private static Throwable catchThrowable(Loop loop) {
        return org.assertj.core.api.Assertions.catchThrowable(loop::run);
    }

    private Task note(String text) {
        return new Note(text, true);
    }

    private Task posted(String text) {
        return new Note(text, false);
    }
}
