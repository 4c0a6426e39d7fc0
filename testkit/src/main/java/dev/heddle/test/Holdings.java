package dev.heddle.test;

import dev.heddle.sys.Memory;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// What the process holds that a run must give back: native memory, and descriptors.
///
/// The numbers are the process's, so a run that others overlapped with proves nothing by them, and
/// is not blamed.
///
/// **Thread:** owner (who runs the test).
final class Holdings {
    // Any thread: how many runs have begun, and how many are under way.
    private static final AtomicLong BEGUN = new AtomicLong();
    private static final AtomicLong RUNNING = new AtomicLong();

    private final @Nullable OpenFiles files;
    private final boolean alone;
    private final long number;
    private final long nativeBytes;

    /// A run begins; [#ended] must follow.
    Holdings(boolean withFiles) {
        // Count first, look then: what another run does in between would be taken for ours.
        alone = RUNNING.getAndIncrement() == 0;
        number = BEGUN.incrementAndGet();
        files = withFiles ? OpenFiles.now() : null;
        nativeBytes = Memory.inUse();
    }

    /// The run is over.
    ///
    /// @return what it has left, in words
    List<String> ended() {
        var left = new ArrayList<String>();
        if (isAlone()) {
            long more = Memory.inUse() - nativeBytes;
            if (more != 0) {
                left.add(more + " bytes of native memory");
            }
            if (files != null) {
                left.addAll(files.newOnes());
            }
        }
        // Looking takes a moment, in which another run may have begun.
        boolean proven = isAlone();
        RUNNING.decrementAndGet();
        return proven ? left : new ArrayList<>();
    }

    private boolean isAlone() {
        return alone && BEGUN.get() == number;
    }
}
