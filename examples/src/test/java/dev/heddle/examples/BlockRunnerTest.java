package dev.heddle.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// A page that is wrong fails the build, and the message says where and why. In these pages, `~~~`
/// stands for a fence.
final class BlockRunnerTest {
    private static final String PAGE = "page.md";

    @TempDir Path folder;

    @Test
    void programThatPrintsWhatThePageShowsPasses() {
        var page =
                """
                ~~~java
                void main() {
                    IO.println("one");
                    IO.println("two");
                }
                ~~~
                It prints:
                ~~~text
                one
                two
                ~~~
                """;

        assertThatCode(() -> check(page)).doesNotThrowAnyException();
    }

    @Test
    void brokenProgramIsReportedWithPageLineAndCompilerMessage() {
        var page =
                """
                # Title

                ~~~java
                void main() {
                    int a = 1;
                    int b = "two";
                }
                ~~~
                """;

        assertThatThrownBy(() -> check(page))
                .isInstanceOf(AssertionError.class)
                .hasMessage(
                        "page.md:6: incompatible types: java.lang.String cannot be converted to"
                                + " int");
    }

    @Test
    void brokenFragmentIsReportedWithItsOwnLine() {
        var page =
                """
                ~~~java fragment
                int a = 1;
                a.run();
                ~~~
                """;

        assertThatThrownBy(() -> check(page)).hasMessage("page.md:3: int cannot be dereferenced");
    }

    @Test
    void warningIsAnError() {
        var page =
                """
                ~~~java
                void main() {
                    List<String> raw = new ArrayList();
                }
                ~~~
                """;

        assertThatThrownBy(() -> check(page)).hasMessageStartingWith("page.md:3: found raw type");
    }

    @Test
    void wrongOutputIsShownBesideWhatThePageSays() {
        var page =
                """
                ~~~java
                void main() {
                    IO.println("blue");
                    System.err.println("a hint");
                }
                ~~~
                ~~~text
                green
                ~~~
                """;

        assertThatThrownBy(() -> check(page))
                .isInstanceOf(AssertionError.class)
                .hasMessage(
                        """
                        page.md:2: prints
                            blue
                        but the page shows
                            green

                        Its error output:
                            a hint
                        """);
    }

    @Test
    void logIsShownWithTheFailure() {
        var page =
                """
                ~~~java
                void main() {
                    System.getLogger("dev.heddle").log(System.Logger.Level.WARNING, "a report");
                    throw new IllegalStateException();
                }
                ~~~
                """;

        assertThatThrownBy(() -> check(page)).hasMessageContaining("WARNING: a report");
    }

    @Test
    void outputThatThePageDoesNotShowIsAnError() {
        var page =
                """
                ~~~java
                void main() {
                    IO.println("unseen");
                }
                ~~~
                ~~~xml
                <text/>
                ~~~
                """;

        assertThatThrownBy(() -> check(page))
                .hasMessageStartingWith("page.md:2: prints\n    unseen\nbut the page shows\n");
    }

    @Test
    void programThatHangsIsReportedWithItsStack() throws Exception {
        var page =
                """
                ~~~java Stuck.java
                void main() throws InterruptedException {
                    new java.util.concurrent.CountDownLatch(1).await();
                }
                ~~~
                """;

        assertThatThrownBy(() -> check(page, Duration.ofMillis(100)))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("page.md:2: still runs after PT0.1S:");

        // It was interrupted, and ends: this test leaves nothing behind.
        for (var thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("main of page.md:2")) {
                thread.join();
            }
        }
    }

    @Test
    void programThatThrowsIsReportedWithItsStack() {
        var page =
                """
                ~~~java Shop.java
                void main() {
                    open();
                }

                void open() {
                    throw new IllegalStateException("no key");
                }
                ~~~
                """;

        assertThatThrownBy(() -> check(page))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("page.md:2: ended with java.lang.IllegalStateException")
                .hasMessageContainingAll("no key", "at Shop.open(Shop.java:6)");
    }

    @Test
    void testsThatPassNeedNoText() {
        var page =
                """
                ~~~java tests
                @HeddleTest(seeds = 2)
                void waits(TestWorld world) {
                    delay(ofHours(1));
                    assertEquals(ofHours(1), world.elapsed());
                }
                ~~~
                """;

        assertThatCode(() -> check(page)).doesNotThrowAnyException();
    }

    @Test
    void testThatFailsAsThePageShowsIsWell() {
        var page =
                """
                ~~~java tests
                @HeddleTest(seed = 7L)
                void adds() {
                    assertEquals(3, 1 + 1);
                }
                ~~~
                ~~~text
                …AssertionFailedError: expected: <3>
                    but was: <2>
                Tests.adds, seed 1, random, failed; replay with @HeddleTest(seed = 1L, …
                ~~~
                """;

        assertThatCode(() -> check(page)).doesNotThrowAnyException();
    }

    @Test
    void testThatFailsInAnotherWayIsShownBesideWhatThePageSays() {
        var page =
                """
                ~~~java tests
                @Test
                void adds() {
                    assertEquals(3, 1 + 1);
                }
                ~~~
                ~~~text
                …expected: <4> but was: <2>
                ~~~
                """;

        assertThatThrownBy(() -> check(page))
                .hasMessageStartingWith("page.md:2: its tests say\n")
                .hasMessageContainingAll("<3> but was: <2>", "but the page shows", "<4> but was");
    }

    @Test
    void testThatPassesWhereThePageShowsAFailureIsAnError() {
        var page = "~~~java tests\n@Test\nvoid good() {}\n~~~\n~~~text\n…\n~~~\n";

        assertThatThrownBy(() -> check(page)).hasMessageStartingWith("page.md:2: its tests say\n");
    }

    @Test
    void testsOfWhichNoneRunsAreAnError() {
        var page = "~~~java tests\nvoid forgotten() {}\n~~~\n";

        assertThatThrownBy(() -> check(page)).hasMessageContaining("no test of class Tests ran");
    }

    @Test
    void exampleThatIsNotTheFileIsAnError() {
        var page = "~~~java testing/RacyCache.java\nclass RacyCache {}\n~~~\n";

        assertThatThrownBy(() -> check(page))
                .hasMessageStartingWith("page.md:2: is not the file without its imports")
                .hasMessageContaining("final class RacyCache<K, V> {");
    }

    @Test
    void outputStreamsAreAsTheyWereAfterABlockThatFails() {
        var out = System.out;
        var err = System.err;

        assertThatThrownBy(() -> check("~~~java\nvoid main() { List.of(1).get(2); }\n~~~\n"))
                .hasMessageContaining("IndexOutOfBoundsException");

        assertThat(System.out).isSameAs(out);
        assertThat(System.err).isSameAs(err);
    }

    @Test
    void unknownWordAfterJavaIsRefused() {
        assertThatThrownBy(() -> check("\n~~~java fragmnt\n~~~\n"))
                .hasMessageStartingWith("page.md:2: what is `java fragmnt`?");
    }

    @Test
    void blockWithoutAnEndIsRefused() {
        assertThatThrownBy(() -> check("text\n~~~java\nvoid main() {}\n"))
                .hasMessageStartingWith("page.md:2: a block begins here and never ends");
    }

    @Test
    void blockInAListIsReadWithoutItsIndent() throws IOException {
        var page =
                """
                1. First:
                   ~~~java
                   void main() {
                       IO.println("in a list");
                   }
                   ~~~
                   ~~~text
                   in a list
                   ~~~
                """;

        assertThatCode(() -> check(page)).doesNotThrowAnyException();
    }

    private void check(String page) throws Exception {
        check(page, Duration.ofSeconds(60));
    }

    private void check(String page, Duration limit) throws Exception {
        Files.writeString(folder.resolve(PAGE), page.replace("~~~", "```"));
        for (Block block : Page.blocks(folder, Path.of(PAGE))) {
            BlockRunner.check(block, limit);
        }
    }
}
