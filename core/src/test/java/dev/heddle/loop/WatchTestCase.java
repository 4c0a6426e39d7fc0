package dev.heddle.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.reactor.Backend;
import dev.heddle.reactor.ErrnoException;
import dev.heddle.reactor.Interest;
import dev.heddle.testing.Descriptors;
import dev.heddle.testing.Pipes;
import dev.heddle.testing.ScriptedWires;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.function.Executable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A loop and descriptors for it before each test, and a trail of what its watches were told.
///
/// **Thread:** owner (the test runner).
abstract class WatchTestCase extends LoopTestCase {
    static final int READ = Interest.READ;
    static final int WRITE = Interest.WRITE;
    static final int PRIORITY = Interest.PRIORITY;
    static final int HUP = Interest.HUP;
    static final int LEVEL = Interest.LEVEL;
    static final int NONE = Interest.NONE;

    final List<String> trail = new ArrayList<>();
    Loop loop;
    Descriptors descriptors;

    WatchTestCase(Backend backend) {
        super(backend);
    }

    @BeforeEach
    void openBoth() throws IOException {
        loop = fixture.open(options -> options.onError((error, _) -> trail.add("" + error)));
        descriptors = fixture.isSimulated() ? new ScriptedWires(fixture.sim()) : new Pipes();
        // So that the reactor has its kernel objects, and takes no number that a test gives back.
        loop.runNowait();
    }

    @AfterEach
    void closeDescriptors() {
        // Not there if the set-up was skipped.
        if (descriptors != null) {
            descriptors.close();
        }
    }

    /// {@return a listener that writes down what it is told, as `name:BITS`}
    Watch.Listener noting(String name) {
        return (_, ready) -> trail.add(name + ":" + Interest.describe(ready));
    }

    /// {@return what the watches were told in one turn that does not wait}
    List<String> turn() throws IOException {
        trail.clear();
        loop.runNowait();
        return List.copyOf(trail);
    }

    static void assertErrno(int expected, Executable call) {
        var thrown = assertThrows(ErrnoException.class, call);
        assertEquals(expected, thrown.errno(), thrown.getMessage());
    }
}
