package dev.heddle.examples;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/// Compiles sources into memory, in this JVM. Warnings count: what the guide teaches has none.
final class BlockCompiler {
    private static final List<String> OPTIONS = List.of("-proc:none", "-g", "-Xlint:all,-options");

    private BlockCompiler() {}

    /// {@return the class with the main method or the tests}
    ///
    /// @throws AssertionError with page, line and the compiler's words, if it does not compile
    static Class<?> compile(Block block) throws Exception {
        return compile(
                        Map.of(block.fileName(), block.source()),
                        (_, line) -> block.page() + ":" + block.pageLine(line))
                .loadClass(block.className());
    }

    /// Where a line of a source stands, for a reader.
    interface Places {
        String place(String fileName, long line);
    }

    /// {@return what loads the classes}
    ///
    /// @param sources by file name
    /// @throws AssertionError with places and the compiler's words, if it does not compile
    static ClassLoader compile(Map<String, String> sources, Places places) throws Exception {
        var javac = ToolProvider.getSystemJavaCompiler();
        var messages = new DiagnosticCollector<JavaFileObject>();
        try (var files = javac.getStandardFileManager(messages, null, null)) {
            var memory = new Memory(files);
            var units = sources.entrySet().stream().map(BlockCompiler::source).toList();
            var task = javac.getTask(null, memory, messages, OPTIONS, null, units);
            boolean compiled = task.call();
            var complaints =
                    messages.getDiagnostics().stream()
                            .filter(message -> message.getKind() != Diagnostic.Kind.NOTE)
                            .map(message -> describe(places, message))
                            .toList();
            if (!compiled || !complaints.isEmpty()) {
                throw new AssertionError(String.join("\n", complaints));
            }
            return new Loader(memory.outputs);
        }
    }

    private static String describe(Places places, Diagnostic<? extends JavaFileObject> message) {
        var source = message.getSource();
        String fileName = source == null ? "" : source.getName().substring(1);
        String text = message.getMessage(Locale.ROOT);
        return places.place(fileName, message.getLineNumber()) + ": " + text;
    }

    private static JavaFileObject source(Map.Entry<String, String> file) {
        URI uri = URI.create("memory:///" + file.getKey());
        return new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return file.getValue();
            }
        };
    }

    /// Keeps what the compiler writes.
    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> outputs = new HashMap<>();

        Memory(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            var output = new ByteArrayOutputStream();
            outputs.put(name, output);
            return new SimpleJavaFileObject(URI.create("memory:///" + name), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return output;
                }
            };
        }
    }

    /// Defines it.
    private static final class Loader extends ClassLoader {
        private final Map<String, ByteArrayOutputStream> outputs;

        Loader(Map<String, ByteArrayOutputStream> outputs) {
            super(BlockCompiler.class.getClassLoader());
            this.outputs = outputs;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            var output = outputs.get(name);
            if (output == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, output.toByteArray(), 0, output.size());
        }
    }
}
