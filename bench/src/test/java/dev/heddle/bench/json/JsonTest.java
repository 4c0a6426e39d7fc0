package dev.heddle.bench.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

final class JsonTest {
    @Test
    void stringsSurviveWithEveryKindOfCharacter() {
        String text = "quote \" slash \\ line \n tab \t bell \u0007 µ 😀";

        assertThat(Json.read(JsonWriter.write(Json.of(text))).text()).isEqualTo(text);
    }

    @Test
    void escapesOfOthersAreUnderstood() {
        assertThat(Json.read("\"a\\u00b5\\/\\r\\b\\f\"").text()).isEqualTo("aµ/\r\b\f");
    }

    @Test
    void numbersKeepSixDigits() {
        assertThat(JsonWriter.write(Json.of(1234.56789)).strip()).isEqualTo("1234.57");
        assertThat(JsonWriter.write(Json.of(3_000_000)).strip()).isEqualTo("3000000");
        assertThat(Json.read("-1.5e3").number()).isEqualTo(-1500);
    }

    @Test
    void arraysAndObjectsNest() {
        var value = Json.read(" { \"a\" : [ 1 , {} , [ ] , null , true , false ] } ");

        assertThat(value.members().get("a").array())
                .hasSize(6)
                .contains(new Json.Array(List.of()), new Json.Nothing(), new Json.Truth(true));
        assertThat(Json.read(JsonWriter.write(value))).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[1,]", "{\"a\" 1}", "nul", "\"open", "1 2", "\"\\x\"", "--1"})
    void whatIsNoJsonIsRefusedWithALine(String text) {
        assertThatThrownBy(() -> Json.read(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 1");
    }

    @Test
    void nestingHasALimit() {
        assertThatThrownBy(() -> Json.read("[".repeat(100_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("less nesting");
    }

    @Test
    void theWrongKindOfValueIsNamed() {
        assertThatThrownBy(() -> Json.of("x").number()).hasMessageContaining("a number expected");
        assertThatThrownBy(() -> Json.of(1).text()).hasMessageContaining("a string expected");
        assertThatThrownBy(() -> Json.of(1).members()).hasMessageContaining("an object expected");
    }
}
