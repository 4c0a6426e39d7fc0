package dev.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// The cache that the guide tests: its race is found, and found again, and the other one has none.
final class TestExamplesTest {
    private static final String RACY = "RacyCacheTest";
    private static final String SEEDS = "@HeddleTest(seeds = 100)";
    private static final Pattern REPLAY =
            Pattern.compile("replay with (@HeddleTest\\(.*\\)) {2}// trace ([0-9a-f]{16})\n");

    @Test
    void aSeedFindsTheRaceAndItsLineReplaysIt() throws Exception {
        var found = TestExamples.read().run(RACY);

        assertThat(found.failures()).singleElement().isInstanceOf(AssertionError.class);
        var line = replay(found);

        // As a user would: by pasting the line that was printed.
        var replayed = pasted(line.group(1)).run(RACY);
        assertThat(replayed.failures()).singleElement().hasToString(thrown(found));
        assertThat(replayed.passed()).isZero();
        assertThat(replay(replayed).group(2)).as("trace").isEqualTo(line.group(2));
    }

    @Test
    void inTheUsualOrderTheRaceIsNotSeen() throws Exception {
        var run = pasted("@HeddleTest").run(RACY);

        assertThat(run.failures()).isEmpty();
        assertThat(run.passed()).isEqualTo(1);
    }

    @Test
    void withoutTheRaceAThousandSeedsPass() throws Exception {
        var run = TestExamples.read().run("CacheTest");

        assertThat(run.failures()).isEmpty();
        assertThat(run.passed()).isGreaterThan(1_000);
    }

    private static TestExamples pasted(String annotation) throws Exception {
        return TestExamples.read()
                .edited(RACY + ".java", SEEDS, annotation)
                .edited(
                        RACY + ".java",
                        "import dev.heddle.test.HeddleTest;",
                        "import dev.heddle.test.*;");
    }

    private static MatchResult replay(TestRun run) {
        return REPLAY.matcher(run.err()).results().findFirst().orElseThrow();
    }

    private static String thrown(TestRun run) {
        return run.failures().getFirst().toString();
    }
}
