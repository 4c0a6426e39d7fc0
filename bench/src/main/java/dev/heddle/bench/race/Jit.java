package dev.heddle.bench.race;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/// The compiler of this JVM.
///
/// **Thread:** any.
public final class Jit {
    private static final Optional<CompilationMXBean> BEAN =
            Optional.ofNullable(ManagementFactory.getCompilationMXBean())
                    .filter(CompilationMXBean::isCompilationTimeMonitoringSupported);

    private Jit() {}

    /// {@return how long it has been at work so far; 0 if that is not known}
    public static long compiledMillis() {
        return BEAN.map(CompilationMXBean::getTotalCompilationTime).orElse(0L);
    }
}
