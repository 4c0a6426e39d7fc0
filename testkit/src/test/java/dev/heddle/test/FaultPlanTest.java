package dev.heddle.test;

import static dev.heddle.Heddle.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;

/// What a test may ask the kernel to fail with.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FaultPlanTest {
    private static String mistake(String call, String errno, int nth, int percent) {
        return assertThrows(
                        IllegalArgumentException.class,
                        () -> new FaultPlan(call, FaultPlan.number(errno), nth, percent))
                .getMessage();
    }

    @Test
    void mistakesSayWhatIsWrong() {
        assertThat(mistake("fork", "EINTR", 1, 0)).contains("fork").contains("epoll_ctl");
        assertThat(mistake("read", "EINTR", 0, 0)).contains("nth").contains("percent");
        assertThat(mistake("read", "EINTR", 1, 50)).contains("nth = 1").contains("percent = 50");
        assertThat(mistake("read", "EINTR", 0, 101)).contains("percent = 101");
        assertThat(mistake("", "EINTR", 1, 0)).contains("which call");
        assertThat(mistake("read", "", 1, 0)).contains("which errno");
        assertThat(mistake("", "EPIPE", 0, 5)).contains("EPIPE").contains("say which call");
    }

    @Test
    void anErrorOfAnyCallIsOneOfThoseThatAreKnownForIt() {
        // Not the calls that open the loop, which no signal interrupts.
        Simulation.create()
                .faults("", "EINTR", 100)
                .run(
                        world -> {
                            try (var pipe = world.pipe()) {
                                assertEquals(3, pipe.write(new byte[3]));
                            }
                        });
        for (int seed = 0; seed < 50; seed++) {
            Simulation.create()
                    .seed(seed)
                    .faults("", "EINTR", 50)
                    .run(_ -> delay(Duration.ofSeconds(1)));
        }
    }
}
