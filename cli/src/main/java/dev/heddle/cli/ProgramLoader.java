package dev.heddle.cli;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/// Defines a program's classes from memory.
///
/// Its own classes come first: a program may use any name, also one that this command line uses.
///
/// **Thread:** any.
final class ProgramLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private final Map<String, byte[]> classes;

    ProgramLoader(Map<String, byte[]> classes) {
        // Without a name: it would stand before every frame of a stack trace.
        super(ProgramLoader.class.getClassLoader());
        this.classes = classes;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        byte[] bytes = classes.get(name);
        if (bytes == null) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            @Nullable Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
        }
    }
}
