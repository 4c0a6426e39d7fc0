package dev.heddle.bench.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

final class ChildTest {
    @Test
    void answersAreReadWithoutTheirOk() throws IOException {
        try (var child = new Child(List.of("sed", "-u", "s/^/ok /"))) {
            assertThat(child.ask("hello")).isEqualTo("hello");
            assertThat(child.ask("again")).isEqualTo("again");
        }
    }

    @Test
    void anErrorIsThrownWithTheCommandAndTheReason() throws IOException {
        try (var child = new Child(List.of("sed", "-u", "s/^/error /"))) {
            assertThatThrownBy(() -> child.ask("hello"))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("\"hello\"")
                    .hasMessageContaining("error hello");
        }
    }

    @Test
    void aChildThatEndsInsteadOfAnsweringIsAnError() throws IOException {
        try (var child = new Child(List.of("sed", "-n", "q"))) {
            assertThatThrownBy(() -> child.ask("quit")).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aSampleIsThreeNumbers() throws IOException {
        assertThat(Child.parse("12.5 3.25 400")).isEqualTo(new Sample(12.5, 3.25, 400));
        assertThatThrownBy(() -> Child.parse("12.5 3.25"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("three numbers");
    }
}
