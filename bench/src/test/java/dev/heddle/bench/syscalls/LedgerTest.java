package dev.heddle.bench.syscalls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.bench.libuv.LibuvPeer;
import dev.heddle.bench.loop.LoopSuite;
import dev.heddle.bench.race.TimedRow;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

final class LedgerTest {
    @Test
    void everySideOfEveryRowIsStored() throws IOException {
        var ledger = Ledger.load();

        try (var libuv = new LibuvPeer(Path.of("unused"))) {
            for (var row : new LoopSuite(libuv).rows()) {
                if (row instanceof TimedRow timed) {
                    var sides = timed.rivals().stream().map(rival -> rival.label()).toList();
                    assertThat(ledger.row(row.name()).keySet())
                            .as(row.name())
                            .contains("heddle")
                            .containsAll(sides);
                }
            }
        }
    }

    @Test
    void aWakeIsTwoCallsWhereLibuvMakesThree() throws IOException {
        assertThat(Ledger.load().row("wake")).isEqualTo(Map.of("heddle", "2.00", "libuv", "3.00"));
    }

    @Test
    void whatIsWrittenIsReadBack() {
        var ledger = Ledger.parse("# comment\n\nwake heddle=2 libuv=3.25\nflood heddle=~0.01\n");

        assertThat(ledger.row("wake")).isEqualTo(Map.of("heddle", "2", "libuv", "3.25"));
        assertThat(ledger.row("flood")).isEqualTo(Map.of("heddle", "~0.01"));
        assertThat(ledger.row("other")).isEmpty();
        assertThat(Ledger.parse(ledger.toString())).hasToString(ledger.toString());
    }

    @Test
    void aLineThatIsWrongIsQuoted() {
        assertThatThrownBy(() -> Ledger.parse("wake heddle=two"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wake heddle=two");
    }
}
