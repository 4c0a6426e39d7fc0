package dev.heddle.bench.syscalls;

import static org.assertj.core.api.Assertions.assertThat;

import dev.heddle.bench.syscalls.Verification.Finding;

import org.junit.jupiter.api.Test;

import java.util.List;

final class StraceLogTest {
    @Test
    void onlyCallsOfTheMarkingThreadBetweenTheMarksCount() {
        assertThat(
                        counts(
                                """
                                7 read(0, "", 1) = 0
                                8 close(-4242) = -1 EBADF (Bad file descriptor)
                                8 write(3, "\\1", 8) = 8
                                7 futex(0x1, FUTEX_WAIT) = 0
                                8 epoll_wait(4, [], 256, -1) = 1
                                8 close(-4243) = -1 EBADF (Bad file descriptor)
                                8 write(1, "ok", 2) = 2
                                """))
                .containsExactly(2);
    }

    @Test
    void aCallThatAnotherThreadInterruptedInTheLogCountsOnce() {
        assertThat(
                        counts(
                                """
                                8 close(-4242 <unfinished ...>
                                7 futex(0x1, FUTEX_WAKE) = 1
                                8 <... close resumed>) = -1 EBADF (Bad file descriptor)
                                8 epoll_wait(4,  <unfinished ...>
                                7 futex(0x1, FUTEX_WAKE) = 1
                                8 <... epoll_wait resumed>[], 256, -1) = 1
                                8 --- SIGSEGV {si_signo=SIGSEGV} ---
                                8 close(-4243 <unfinished ...>
                                """))
                .containsExactly(1);
    }

    @Test
    void everyPairOfMarksIsCountedForItself() {
        assertThat(
                        counts(
                                "8 close(-4242)\n"
                                        + "8 a()\n"
                                        + "8 close(-4243)\n"
                                        + "8 b()\n"
                                        + "8 close(-4242)\n"
                                        + "8 close(-4243)"))
                .containsExactly(1, 0);
    }

    @Test
    void countsAgreeWithinAFewPercent() {
        assertThat(new Finding("r", "heddle", "2.01", "2.00").agrees()).isTrue();
        assertThat(new Finding("r", "heddle", "3.00", "2.00").agrees()).isFalse();
        assertThat(new Finding("r", "heddle", "2.00", "").agrees()).isFalse();
        assertThat(new Finding("r", "heddle", "~9.00", "~2.00").agrees()).isTrue();
    }

    private static List<Integer> counts(String log) {
        var reader = new StraceLog();
        log.lines().forEach(reader::add);
        return reader.counts();
    }
}
