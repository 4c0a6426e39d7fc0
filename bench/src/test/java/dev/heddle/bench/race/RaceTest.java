package dev.heddle.bench.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

final class RaceTest {
    private static final Pace PACE = new Pace(3, 6, Duration.ofNanos(1));

    private final List<String> trail = new ArrayList<>();
    private final FakePeer peer = new FakePeer();

    @Test
    void ratioIsTheMedianOfTheRoundsRatiosAndNotTheRatioOfTheMedians() {
        var ours = List.of(sample(10, 5), sample(20, 5), sample(40, 5));
        var theirs = List.of(sample(40, 10), sample(20, 10), sample(20, 10));

        var result = Race.evaluate(row(), Map.of("heddle", ours, "libuv", theirs));

        var versus = result.peers().get("libuv");
        assertThat(versus.ratio()).isEqualTo(new Spread(1, 0.5, 4)); // of 4, 1 and 0.5
        assertThat(versus.cpuRatio()).isEqualTo(2);
        assertThat(result.spread()).isEqualTo(3.5);
        assertThat(result.heddle()).isEqualTo(20);
        assertThat(versus.value()).isEqualTo(20);
        assertThat(result.rounds()).isEqualTo(3);
    }

    @Test
    void withoutAPeerTheSpreadIsThatOfOurOwnRounds() {
        var ours = List.of(sample(10, 5), sample(20, 5), sample(30, 5));

        var result = Race.evaluate(row(), Map.of("heddle", ours));

        assertThat(result.peers()).isEmpty();
        assertThat(result.spread()).isCloseTo(1.0, within(1e-9));
    }

    @Test
    void sidesTakeTurnsAfterTheWarmUp() throws Exception {
        new Race(PACE, Set.of("fake"), new Silence()).run(row().against("fake", peer, "x"));

        int warm = trail.indexOf("fake round") + 1; // the peer warms up once, last of all
        assertThat(trail.subList(warm, trail.size()))
                .containsExactly(
                        "heddle batch", "fake round",
                        "heddle batch", "fake round",
                        "heddle batch", "fake round",
                        "heddle closed", "fake closed");
        assertThat(warm).isBetween(3 + 1, PACE.warmUpMax() + 1);
    }

    @Test
    void aPeerWithAJitWarmsUpUntilItGetsNoFaster() throws Exception {
        peer.warmth = Contestant.Warmth.UNTIL_CALM;

        new Race(PACE, Set.of("fake"), new Silence()).run(row().against("fake", peer, "x"));

        // The first round is progress, three more are none.
        assertThat(trail.stream().filter("fake round"::equals)).hasSize(4 + PACE.rounds());
    }

    @Test
    void aPeerThatBeginsAnewInEveryRoundHasNoWarmUp() throws Exception {
        peer.warmth = Contestant.Warmth.NONE;

        new Race(PACE, Set.of("fake"), new Silence()).run(row().against("fake", peer, "x"));

        assertThat(trail.stream().filter("fake round"::equals)).hasSize(PACE.rounds());
    }

    @Test
    void aPeerThatDoesNotTakePartIsNotEvenOpened() throws Exception {
        var result = new Race(PACE, Set.of(), new Silence()).run(row().against("f", peer, "x"));

        assertThat(result.peers()).isEmpty();
        assertThat(trail).doesNotContain("fake round", "fake opened");
    }

    @Test
    void whatWasOpenedIsClosedIfAPeerCannotBeOpened() {
        peer.refuses = true;

        assertThatThrownBy(
                        () ->
                                new Race(PACE, Set.of("fake"), new Silence())
                                        .run(row().against("fake", peer, "x")))
                .hasMessage("refused");
        assertThat(trail).containsExactly("heddle closed");
    }

    private TimedRow row() {
        return TimedRow.of("suite", "row", FakeWorkload::new);
    }

    private static Sample sample(double value, double cpu) {
        return new Sample(value, cpu, 1);
    }

    private final class FakeWorkload implements Workload {
        @Override
        public int operations() {
            return 1;
        }

        @Override
        public void batch(Meter meter) {
            trail.add("heddle batch");
        }

        @Override
        public void close() {
            trail.add("heddle closed");
        }
    }

    private final class FakePeer implements Peer {
        boolean refuses;
        Contestant.Warmth warmth = Contestant.Warmth.ONE_ROUND;

        @Override
        public String name() {
            return "fake";
        }

        @Override
        public Presence find() {
            return new Present("1");
        }

        @Override
        public Contestant open(String workload) throws IOException {
            if (refuses) {
                throw new IOException("refused");
            }
            return new Contestant() {
                @Override
                public Sample round(Duration atLeast) {
                    trail.add("fake round");
                    return sample(1, 1);
                }

                @Override
                public Warmth warmth() {
                    return warmth;
                }

                @Override
                public void close() {
                    trail.add("fake closed");
                }
            };
        }

        @Override
        public void close() {}
    }

    private static final class Silence implements Progress {
        @Override
        public void row(String name, int index, int count) {}

        @Override
        public void step(String what) {}

        @Override
        public void done(String outcome) {}
    }
}
