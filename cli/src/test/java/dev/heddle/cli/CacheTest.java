package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;

/// The cache gives back what was put in, or nothing.
final class CacheTest {
    private static final Compiled COMPILED =
            new Compiled(
                    "app.Main",
                    List.of(new Compiled.Other("Other.java", new byte[] {1, 2})),
                    Map.of("app.Main", new byte[] {3, 4, 5}, "app.Main$1", new byte[0]));

    @TempDir Path temporary;

    @Test
    void whatWasStoredIsFound() {
        var key = new CacheKey().add("source");
        var cache = cache();
        cache.store(key, COMPILED);

        var found = cache.find(key).orElseThrow();

        assertThat(found.mainClass()).isEqualTo("app.Main");
        assertThat(found.others()).hasSize(1);
        assertThat(found.others().getFirst().path()).isEqualTo("Other.java");
        assertThat(found.others().getFirst().content()).containsExactly(1, 2);
        assertThat(found.classes()).containsOnlyKeys("app.Main", "app.Main$1");
        assertThat(found.classes().get("app.Main")).containsExactly(3, 4, 5);
    }

    @Test
    void anotherKeyOfTheSameNameFindsNothing() throws IOException {
        var cache = cache();
        var key = new CacheKey().add("one");
        var other = new CacheKey().add("two");
        cache.store(key, COMPILED);
        Path folder = cache.folder();
        Files.move(only(folder), folder.resolve(other.name() + ".classes"));

        assertThat(cache.find(other)).isEmpty();
    }

    @Test
    void partsThatOnlyRunTogetherAlikeAreDifferentKeys() {
        var one = new CacheKey().add("ab").add("c");
        var two = new CacheKey().add("a").add("bc");

        assertThat(one.matches(two.bytes())).isFalse();
        assertThat(one.name()).isNotEqualTo(two.name());
    }

    @Test
    void everyDamageIsNoticed() throws IOException {
        var cache = cache();
        var key = new CacheKey().add("source");
        cache.store(key, COMPILED);
        Path file = only(cache.folder());
        byte[] whole = Files.readAllBytes(file);

        for (int i = 0; i < whole.length; i++) {
            byte[] flipped = whole.clone();
            flipped[i] ^= 1;
            Files.write(file, flipped);
            assertThat(cache.find(key)).as("byte %d is wrong", i).isEmpty();

            Files.write(file, java.util.Arrays.copyOf(whole, i));
            assertThat(cache.find(key)).as("cut off after %d bytes", i).isEmpty();
        }
        Files.write(file, new byte[whole.length]);
        assertThat(cache.find(key)).as("only zeros").isEmpty();
    }

    @Test
    void entriesNotUsedForLongestAreRemoved() throws IOException {
        var cache = cache();
        cache.createFolder();
        for (int i = 0; i < ClassCache.ENTRIES_MAX; i++) {
            Path file = Files.createFile(cache.folder().resolve(i + ".classes"));
            Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000 + i));
        }
        var kept = new CacheKey().add("kept");
        cache.store(kept, COMPILED);
        Files.setLastModifiedTime(file(cache, kept), FileTime.fromMillis(0));
        assertThat(cache.find(kept)).as("using it makes it young").isPresent();

        cache.store(new CacheKey().add("new"), COMPILED);

        assertThat(names(cache.folder()))
                .hasSize(ClassCache.ENTRIES_MAX)
                .contains(file(cache, kept).getFileName().toString(), "2.classes")
                .doesNotContain("0.classes", "1.classes");
    }

    @Test
    void nothingUnfinishedIsLeftBehind() throws IOException {
        var cache = cache();
        cache.store(new CacheKey().add("source"), COMPILED);

        assertThat(names(cache.folder())).allMatch(name -> name.endsWith(".classes"));
    }

    @Test
    void onlyTheOwnerMayWriteWhatWillBeRun() throws IOException {
        var cache = cache();
        cache.store(new CacheKey().add("source"), COMPILED);

        var permissions = Files.getPosixFilePermissions(cache.folder());
        assertThat(PosixFilePermissions.toString(permissions)).isEqualTo("rwx------");
    }

    @Test
    void placeFollowsTheXdgSpecification() {
        Path home = Path.of(System.getProperty("user.home"));

        assertThat(ClassCache.place(Map.of("XDG_CACHE_HOME", "/x"))).hasToString("/x/heddle/run");
        assertThat(ClassCache.place(Map.of())).isEqualTo(home.resolve(".cache/heddle/run"));
        assertThat(ClassCache.place(Map.of("XDG_CACHE_HOME", "relative")))
                .isEqualTo(home.resolve(".cache/heddle/run"));
    }

    private ClassCache cache() {
        return new ClassCache(temporary.resolve("heddle").resolve("run"));
    }

    private static Path file(ClassCache cache, CacheKey key) {
        return cache.folder().resolve(key.name() + ".classes");
    }

    private static Path only(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.reduce(
                            (_, _) -> {
                                throw new AssertionError("more than one file");
                            })
                    .orElseThrow();
        }
    }

    private static List<String> names(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
