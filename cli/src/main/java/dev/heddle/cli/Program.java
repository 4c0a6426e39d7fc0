package dev.heddle.cli;

import java.util.Optional;

/// Runs a source file: finds its classes in the cache or compiles it, then calls its main method on
/// this thread.
///
/// **Thread:** owner (the JVM's main thread).
final class Program {
    private Program() {}

    /// @throws UserError if it could not be started
    /// @throws Throwable whatever the program throws, without our frames
    static void run(String file, String[] args, ClassCache cache) throws Throwable {
        var source = SourceFile.read(file);
        var key = source.key();

        Optional<Compiled> cached = cache.find(key).filter(source::isCurrent);
        Compiled compiled;
        if (cached.isPresent()) {
            compiled = cached.get();
        } else {
            ensureCompiler();
            compiled = SourceCompiler.compile(source);
            // Somebody may have saved a file while it was being compiled.
            if (source.isUnchanged() && source.isCurrent(compiled)) {
                cache.store(key, compiled);
            }
        }

        var loader = new ProgramLoader(compiled.classes());
        Thread.currentThread().setContextClassLoader(loader);
        MainMethod.of(loader.loadClass(compiled.mainClass()), file).invoke(args);
    }

    // Asked before SourceCompiler is loaded: it cannot be, without the compiler's classes.
    private static void ensureCompiler() throws UserError {
        if (!JavaCheck.hasCompiler()) {
            throw UserError.failed(
                    "no compiler in "
                            + System.getProperty("java.home")
                            + "; run needs a whole JDK");
        }
    }
}
