package dev.heddle.bench.race;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

final class ChildPeerTest {
    /// Its process number is what it "measures": so that a test can tell processes apart.
    private static final String SHELL =
            """
            while read -r verb name millis; do
                case $verb in
                    version) echo ok 1.2 ;;
                    compiled) echo ok 77 ;;
                    run) echo ok $$ 0 1 ;;
                esac
            done
            """;

    private static final ChildPeer.Program PROGRAM = () -> List.of("sh", "-c", SHELL);

    @Test
    void aProgramThatCannotBeMadeIsMissingAndTheCureIsNamed() {
        ChildPeer.Program broken =
                () -> {
                    throw new IOException("no compiler\nand more");
                };
        try (var peer = new ChildPeer("x", ChildPeer.Kind.COMPILED, "get x", broken)) {
            assertThat(peer.find()).isEqualTo(new Peer.Missing("no compiler", "get x"));
        }
    }

    @Test
    void aProgramThatAnswersIsPresent() {
        try (var peer = peer(ChildPeer.Kind.COMPILED)) {
            assertThat(peer.find()).isEqualTo(new Peer.Present("1.2"));
        }
    }

    @Test
    void allRoundsRunInOneProcess() throws Exception {
        try (var peer = peer(ChildPeer.Kind.COMPILED);
                var one = peer.open("one");
                var two = peer.open("two")) {
            assertThat(process(one)).isEqualTo(process(one)).isEqualTo(process(two));
        }
    }

    @Test
    void freshOnesRunEachRoundInAProcessOfItsOwnWithoutWarmUp() throws Exception {
        try (var peer = peer(ChildPeer.Kind.JIT).inFreshProcesses(PROGRAM);
                var side = peer.open("one")) {
            assertThat(peer.name()).isEqualTo("x");
            assertThat(process(side)).isNotEqualTo(process(side));
            assertThat(side.warmth()).isEqualTo(Contestant.Warmth.NONE);
        }
    }

    @Test
    void whereThereIsAJitItIsAsked() throws Exception {
        try (var jit = peer(ChildPeer.Kind.JIT);
                var compiled = peer(ChildPeer.Kind.COMPILED);
                var warm = jit.open("one");
                var cold = compiled.open("one")) {
            assertThat(warm.warmth()).isEqualTo(Contestant.Warmth.UNTIL_CALM);
            assertThat(warm.compiledMillis()).isEqualTo(77);
            assertThat(cold.warmth()).isEqualTo(Contestant.Warmth.ONE_ROUND);
            assertThat(cold.compiledMillis()).isZero();
        }
    }

    private static ChildPeer peer(ChildPeer.Kind kind) {
        return new ChildPeer("x", kind, "", PROGRAM);
    }

    private static double process(Contestant side) throws Exception {
        return side.round(Duration.ZERO).value();
    }
}
