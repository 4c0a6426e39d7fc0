package dev.heddle.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Which programs run, how they are started, and when they are compiled again. In this JVM: the
/// programs leave what they did in a system property.
final class ProgramTest {
    private static final String TRAIL = "heddle.test.trail";

    @TempDir Path folder;
    private final ClassLoader loaderBefore = Thread.currentThread().getContextClassLoader();

    @BeforeEach
    void clear() {
        System.clearProperty(TRAIL);
    }

    @AfterEach
    void restore() {
        Thread.currentThread().setContextClassLoader(loaderBefore);
        System.clearProperty(TRAIL);
    }

    @Test
    void compactSourceFileRuns() throws Throwable {
        write("Compact.java", "void main() { %s }".formatted(leave("\"compact\"")));

        assertThat(run("Compact.java")).isEqualTo("compact");
    }

    @Test
    void everythingAfterTheFileBelongsToTheProgram() throws Throwable {
        write(
                "Args.java",
                "void main(String[] args) { %s }".formatted(leave("String.join(\"|\", args)")));

        assertThat(run("Args.java", "--help", "a b", "", "*")).isEqualTo("--help|a b||*");
    }

    @Test
    void classicMainRuns() throws Throwable {
        write(
                "Classic.java",
                "public class Classic { public static void main(String... args) { %s } }"
                        .formatted(leave("\"classic\"")));

        assertThat(run("Classic.java")).isEqualTo("classic");
    }

    @Test
    void mainWithParameterIsPreferredToMainWithout() throws Throwable {
        write(
                "Both.java",
                "class Both { static void main() { %s } void main(String[] args) { %s } }"
                        .formatted(leave("\"without\""), leave("\"with\"")));

        assertThat(run("Both.java")).isEqualTo("with");
    }

    @Test
    void privateMainIsNoMain() throws Throwable {
        write(
                "Hidden.java",
                "class Hidden { private static void main(String[] args) {} void main() { %s } }"
                        .formatted(leave("\"visible\"")));

        assertThat(run("Hidden.java")).isEqualTo("visible");
    }

    @Test
    void mainMayBeInheritedFromClassOrInterface() throws Throwable {
        write(
                "Child.java",
                "class Child extends Parent {} class Parent { protected void main() { %s } }"
                        .formatted(leave("getClass().getName()")));
        write(
                "Doer.java",
                "class Doer implements Task {} interface Task { default void main() { %s } }"
                        .formatted(leave("getClass().getName()")));

        assertThat(run("Child.java")).isEqualTo("Child");
        assertThat(run("Doer.java")).isEqualTo("Doer");
    }

    @Test
    void firstClassOfTheFileIsTheProgram() throws Throwable {
        write(
                "Two.java",
                """
                class First { static void main() { %s } }
                class Second { static void main() { %s } }
                """
                        .formatted(leave("\"first\""), leave("\"second\"")));

        assertThat(run("Two.java")).isEqualTo("first");
    }

    @Test
    void programMayHaveTheNameOfAClassOfThisCommandLine() throws Throwable {
        write(
                "dev/heddle/cli/Main.java",
                "package dev.heddle.cli; class Main { static void main() { %s } }"
                        .formatted(leave("\"the user's\"")));

        assertThat(run("dev/heddle/cli/Main.java")).isEqualTo("the user's");
    }

    @Test
    void filesBesideItAndInOtherPackagesAreFound() throws Throwable {
        write(
                "app/Start.java",
                """
                package app;
                import tools.Deep;
                class Start { static void main() { %s } }
                """
                        .formatted(leave("Beside.NAME + Deep.name()")));
        write("app/Beside.java", "package app; class Beside { static String NAME = \"beside \"; }");
        write(
                "tools/Deep.java",
                "package tools; public class Deep { public static String name() { return \"deep\";"
                        + " } }");

        assertThat(run("app/Start.java")).isEqualTo("beside deep");
    }

    @Test
    void fileThatIsNotWhereItsPackageSaysRunsAlone() throws Throwable {
        write(
                "Lost.java",
                "package far.away; class Lost { static void main() { %s } }"
                        .formatted(leave("Lost.class.getName()")));

        assertThat(run("Lost.java")).isEqualTo("far.away.Lost");
    }

    @Test
    void contextClassLoaderIsTheProgramsOwn() throws Throwable {
        write(
                "Loader.java",
                """
                void main() throws Exception {
                    var loader = Thread.currentThread().getContextClassLoader();
                    %s
                }
                class Inner {}
                """
                        .formatted(leave("loader.loadClass(\"Loader$Inner\").getSimpleName()")));

        assertThat(run("Loader.java")).isEqualTo("Inner");
    }

    @Test
    void programsExceptionArrivesAsItself() throws Exception {
        write("Boom.java", "void main() { throw new IllegalStateException(\"boom\"); }");

        assertThatThrownBy(() -> run("Boom.java"))
                .isExactlyInstanceOf(IllegalStateException.class)
                .hasMessage("boom");
    }

    @Test
    void userErrorsNameTheFileAndWhatToDo() throws Exception {
        write("NoMain.java", "class NoMain { int main() { return 0; } }");
        write("Abstract.java", "abstract class Abstract { void main() {} }");
        write("Picky.java", "class Picky { Picky(int size) {} void main() {} }");
        write("Empty.java", "// nothing\n");
        write("notes.txt", "");
        // Root may read everything but this.
        Path unreadable = folder.resolve("Unreadable.java");
        Files.createSymbolicLink(unreadable, Path.of("/proc/self/mem"));
        Files.createDirectory(folder.resolve("Folder.java"));

        var mistakes =
                List.of(
                        mistake("NoMain.java"),
                        mistake("Abstract.java"),
                        mistake("Picky.java"),
                        mistake("Empty.java"),
                        mistake("notes.txt"),
                        mistake("Unreadable.java"),
                        mistake("Folder.java"),
                        mistake("Missing.java"),
                        mistake("NoMain"));
        Files.delete(unreadable);

        assertThat(mistakes)
                .containsExactly(
                        "2 NoMain.java: no main method in NoMain, the first class of the file;"
                                + " add: void main() { ... }",
                        "2 Abstract.java: main is not static, and Abstract is abstract",
                        "2 Picky.java: main is not static, and Picky has no constructor without"
                                + " parameters that is not private",
                        "2 Empty.java: no class and no method in it",
                        "2 notes.txt is not a .java file",
                        "2 cannot read Unreadable.java: Input/output error",
                        "2 Folder.java is a directory; run takes one .java file",
                        "2 no such file: Missing.java",
                        "2 no such file: NoMain; did you mean NoMain.java?");
    }

    /// {@return the exit code and the message, with the test's folder left out}
    private String mistake(String name) {
        try {
            run(name);
            throw new AssertionError(name + " ran");
        } catch (UserError mistake) {
            String message = mistake.getMessage().replace(folder + "/", "");
            return mistake.exitCode() + " " + message;
        } catch (Throwable other) {
            throw new AssertionError(name, other);
        }
    }

    private void write(String name, String source) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, source);
    }

    /// {@return a statement that appends a value to the trail}
    private static String leave(String value) {
        return "System.setProperty(\"%s\", System.getProperty(\"%s\", \"\") + %s);"
                .formatted(TRAIL, TRAIL, value);
    }

    /// {@return what the program left}
    private String run(String name, String... args) throws Throwable {
        System.clearProperty(TRAIL);
        var cache = new ClassCache(folder.resolve("cache"));
        Program.run(folder.resolve(name).toString(), args, cache);
        return System.getProperty(TRAIL, "");
    }
}
