package dev.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The README and the guide tell the truth: every block of Java in them compiles, runs, and prints
/// what the page says.
final class PagesTest {
    private static final Path ROOT = Path.of("..");
    private static final Path GUIDE = Path.of("docs", "guide");
    private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");

    @ParameterizedTest
    @MethodSource("blocks")
    void runsAndPrintsWhatThePageShows(Block block) throws Exception {
        BlockRunner.check(block);
    }

    @Test
    void readmeBeginsWithTheHelloExample() throws IOException {
        assertThat(blocks().getFirst().code()).isEqualTo(Files.readString(Path.of("Hello.java")));
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyLinkLeadsToAFile(Path page) throws IOException {
        Path folder = ROOT.resolve(page).resolveSibling("");
        var links = LINK.matcher(Files.readString(ROOT.resolve(page)));

        while (links.find()) {
            assertThat(folder.resolve(links.group(1))).as("link of %s", page).exists();
        }
    }

    @Test
    void everyPageOfTheGuideIsInItsIndex() throws IOException {
        String index = Files.readString(ROOT.resolve(GUIDE).resolve("README.md"));

        for (Path page : guide()) {
            String name = page.getFileName().toString();
            assertThat(name.equals("README.md") || index.contains("](" + name + ")"))
                    .as("%s is in the index", name)
                    .isTrue();
        }
    }

    static List<Block> blocks() throws IOException {
        var blocks = new ArrayList<Block>();
        for (Path page : pages()) {
            blocks.addAll(Page.blocks(ROOT, page));
        }
        return blocks;
    }

    static List<Path> pages() throws IOException {
        var pages = new ArrayList<>(List.of(Path.of("README.md")));
        pages.addAll(guide());
        return pages;
    }

    private static List<Path> guide() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve(GUIDE))) {
            return files.map(ROOT::relativize)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }
}
