package dev.heddle.cli;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/// Compiles a source file, and the files that it refers to, into memory.
///
/// Files that it refers to are looked for where its package says: beside it, if it has none. The
/// compiler tells the package as soon as it has parsed the file, which is early enough to tell it
/// where to look.
///
/// **Thread:** owner.
final class SourceCompiler implements TaskListener {
    // -proc:none: or the compiler warns that it does not process the files it finds by itself.
    private static final List<String> OPTIONS = List.of("-proc:none", "-g", "-Xlint:-options");

    private final SourceFile source;
    private final StandardJavaFileManager files;
    private final List<Compiled.Other> others = new ArrayList<>();
    private Optional<String> mainClass = Optional.empty();
    private boolean first = true;

    private SourceCompiler(SourceFile source, StandardJavaFileManager files) {
        this.source = source;
        this.files = files;
    }

    /// @throws UserError if it does not compile; the compiler has said why, in its own words
    static Compiled compile(SourceFile source) throws UserError, IOException {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        try (var files = javac.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            return new SourceCompiler(source, files).compile(javac);
        }
    }

    private Compiled compile(JavaCompiler javac) throws UserError, IOException {
        files.setLocationFromPaths(StandardLocation.CLASS_PATH, List.of(Library.location()));
        var memory = new Memory(files);
        var messages = new PrintWriter(System.err, true, System.err.charset());
        var task =
                (JavacTask)
                        javac.getTask(
                                messages,
                                memory,
                                null,
                                OPTIONS,
                                null,
                                files.getJavaFileObjects(source.path()));
        task.addTaskListener(this);
        if (!task.call()) {
            throw UserError.failed("");
        }
        String name =
                mainClass.orElseThrow(
                        () -> UserError.usage(source.path() + ": no class and no method in it"));
        return new Compiled(name, others, memory.classes());
    }

    @Override
    public void finished(TaskEvent event) {
        if (event.getKind() != TaskEvent.Kind.PARSE) {
            return;
        }
        try {
            if (first) {
                first = false;
                lookAt(event.getCompilationUnit());
            } else {
                // Now, not at the end: what was read a moment ago is most likely what is read here.
                others.add(read(Path.of(event.getSourceFile().toUri())));
            }
        } catch (IOException cause) {
            throw new UncheckedIOException(cause);
        }
    }

    private void lookAt(CompilationUnitTree unit) throws IOException {
        var name = unit.getPackageName();
        String packageName = name == null ? "" : name.toString();
        for (var declaration : unit.getTypeDecls()) {
            if (declaration instanceof ClassTree type) {
                String prefix = packageName.isEmpty() ? "" : packageName + ".";
                mainClass = Optional.of(prefix + type.getSimpleName());
                break;
            }
        }
        files.setLocationFromPaths(StandardLocation.SOURCE_PATH, sourcePath(packageName));
    }

    /// {@return the folder in which the packages are, or none if the file is not where its package
    /// says: then it is alone}
    private List<Path> sourcePath(String packageName) {
        Path folder = source.folder().toAbsolutePath().normalize();
        if (packageName.isEmpty()) {
            return List.of(folder);
        }
        Path tail = Path.of(packageName.replace('.', '/'));
        if (!folder.endsWith(tail)) {
            return List.of();
        }
        Path root = folder;
        for (int i = 0; i < tail.getNameCount() && root != null; i++) {
            root = root.getParent();
        }
        return root == null ? List.of() : List.of(root);
    }

    private Compiled.Other read(Path path) throws IOException {
        Path folder = source.folder().toAbsolutePath().normalize();
        return new Compiled.Other(folder.relativize(path).toString(), Files.readAllBytes(path));
    }

    /// Keeps what the compiler writes.
    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> outputs = new HashMap<>();

        Memory(JavaFileManager files) {
            super(files);
        }

        Map<String, byte[]> classes() {
            var classes = new HashMap<String, byte[]>();
            outputs.forEach((name, output) -> classes.put(name, output.toByteArray()));
            return classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            var output = new ByteArrayOutputStream();
            outputs.put(name, output);
            return new SimpleJavaFileObject(
                    URI.create("memory:///" + name.replace('.', '/')), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return output;
                }
            };
        }
    }
}
