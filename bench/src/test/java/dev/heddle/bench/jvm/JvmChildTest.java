package dev.heddle.bench.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.bench.race.Check;
import dev.heddle.bench.race.Meter;
import dev.heddle.bench.race.Workload;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

final class JvmChildTest {
    private final List<String> trail = new ArrayList<>();
    private final JvmChild child = new JvmChild(new Fake());

    @Test
    void aRoundIsAnsweredWithThreeNumbers() {
        assertThat(child.obey("run walk 0")).matches("ok [0-9.E-]+ [0-9.E-]+ 5");
    }

    @Test
    void aWorkloadStaysOpenUntilAnotherIsRun() {
        child.obey("run walk 0");
        child.obey("run walk 0");
        child.obey("run swim 0");

        assertThat(trail)
                .containsExactly("open walk", "walk", "walk", "close walk", "open swim", "swim");
    }

    @Test
    void whatGoesWrongIsAnsweredInOneLine() {
        assertThat(child.obey("run stumble 0"))
                .startsWith("error")
                .contains("steps should be 2, but is 1")
                .hasLineCount(1);
    }

    @Test
    void whatIsNotThereIsNamed() {
        assertThat(child.obey("run fly 0")).startsWith("error").contains("\"fly\"");
        assertThat(child.obey("jump")).isEqualTo("error not understood: jump");
        assertThat(child.obey("run")).startsWith("error");
    }

    @Test
    void versionAndCompilerTimeCanBeAsked() {
        assertThat(child.obey("version")).isEqualTo("ok 1.2");
        assertThat(child.obey("compiled")).matches("ok \\d+");
    }

    @Test
    void parkedMemoryIsMeasuredForSoMany() {
        assertThat(child.obey("run parked-1000 0")).matches("ok -?[0-9.E-]+ NaN 1000");
        assertThat(trail).endsWith("held 1000");
    }

    private final class Fake implements Repertoire {
        @Override
        public String version() {
            return "1.2";
        }

        @Override
        public Map<String, Workload.Opener> workloads() {
            return Map.of(
                    "walk", () -> new Step("walk", 2),
                    "swim", () -> new Step("swim", 2),
                    "stumble", () -> new Step("stumble", 1));
        }

        @Override
        public Parking parking() {
            return (count, whileParked) -> {
                whileParked.run();
                trail.add("held " + count);
            };
        }
    }

    private final class Step implements Workload {
        private final String name;
        private final int steps;

        Step(String name, int steps) {
            this.name = name;
            this.steps = steps;
            trail.add("open " + name);
        }

        @Override
        public int operations() {
            return 5;
        }

        @Override
        public void batch(Meter meter) {
            Check.count("steps", steps, 2);
            trail.add(name);
        }

        @Override
        public void close() {
            trail.add("close " + name);
        }
    }
}
