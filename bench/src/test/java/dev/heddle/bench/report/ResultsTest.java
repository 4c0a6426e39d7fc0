package dev.heddle.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.heddle.bench.json.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

final class ResultsTest {
    private static final Results RESULTS =
            new Results(
                    Map.of("cpu", "a \"fast\" one"),
                    List.of(Samples.WAKE, Samples.FLOOD, Samples.ALLOCATION));

    @TempDir private Path folder;

    @Test
    void theFileHasTheShapeThatOthersRead() throws IOException {
        var row = written().get("rows").array().getFirst().members();

        assertThat(written().get("machine").members().get("cpu").text())
                .isEqualTo("a \"fast\" one");
        assertThat(row.get("suite").text()).isEqualTo("loop");
        assertThat(row.get("name").text()).isEqualTo("wake");
        assertThat(row.get("unit").text()).isEqualTo("ns/op");
        assertThat(row.get("heddle").number()).isEqualTo(633.5);
        assertThat(row.get("peers").members().get("libuv").number()).isEqualTo(822);
        assertThat(row.get("ratio").members().get("libuv").number()).isEqualTo(1.3);
        assertThat(row.get("spread").number()).isEqualTo(0.115385);
        assertThat(row.get("rounds").number()).isEqualTo(7);
        assertThat(row.get("note").text()).isEmpty();
    }

    @Test
    void whatWasWrittenIsReadBackUnchanged() throws IOException {
        Path file = folder.resolve("r.json");
        RESULTS.write(file);

        assertThat(Results.read(file)).isEqualTo(RESULTS);
    }

    @Test
    void aNumberThatIsNoneBecomesNull() throws IOException {
        var row = written().get("rows").array().getLast().members();

        assertThat(row.get("cpu").members().get("heddle")).isEqualTo(new Json.Nothing());
    }

    @Test
    void aFileThatIsNoneOfOursIsRefusedByName() throws IOException {
        Path file = Files.writeString(folder.resolve("other.json"), "{\"machine\": {}}");

        assertThatThrownBy(() -> Results.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("other.json")
                .hasMessageContaining("no \"rows\"");
    }

    private Json.Members written() throws IOException {
        Path file = folder.resolve("shape.json");
        RESULTS.write(file);
        return Json.read(Files.readString(file)).members();
    }
}
