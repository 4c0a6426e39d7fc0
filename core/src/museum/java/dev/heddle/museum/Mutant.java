package dev.heddle.museum;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// Makes the classes of an exhibit: its one source file, with the bug, compiled against ours.
///
/// **Thread:** owner (main).
final class Mutant {
    private final Path sources;
    private final String classPath;

    Mutant(Path sources, String classPath) {
        this.sources = sources;
        this.classPath = classPath;
    }

    /// Only makes the text, which is enough to know that the exhibit still fits.
    String text(Exhibit exhibit) throws IOException {
        var file = sources.resolve(exhibit.source());
        if (!Files.exists(file)) {
            throw new Exhibit.BadExhibit(
                    exhibit.name(), "names a file that is not there: " + exhibit.source());
        }
        return exhibit.mutate(Files.readString(file));
    }

    /// @param output an empty folder
    void compile(Exhibit exhibit, Path output) throws IOException {
        var source = new Source(exhibit.source(), text(exhibit));
        var compiler = ToolProvider.getSystemJavaCompiler();
        var messages = new StringWriter();
        boolean compiled =
                compiler.getTask(
                                messages,
                                null,
                                null,
                                List.of(
                                        "-d",
                                        output.toString(),
                                        "-classpath",
                                        classPath,
                                        "-proc:none",
                                        "-nowarn"),
                                null,
                                List.of(source))
                        .call();
        if (!compiled) {
            throw new Exhibit.BadExhibit(exhibit.name(), "does not compile:\n" + messages);
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String path, String text) {
            super(URI.create("mutant:///" + path), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
