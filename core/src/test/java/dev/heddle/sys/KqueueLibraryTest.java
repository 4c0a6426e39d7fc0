package dev.heddle.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The binding's real downcalls: into a library written in C and named by the property, as
/// libkqueue would be. In a JVM of its own, because a JVM looks for the library once.
final class KqueueLibraryTest {
    /// Answers with what C sees in the change, field by field, so that a wrong shape shows.
    private static final String LIBRARY =
            """
            #include <errno.h>
            #include <stdint.h>
            #include <time.h>

            struct kevent {
                uintptr_t ident;
                short filter;
                unsigned short flags;
                unsigned int fflags;
                intptr_t data;
                void *udata;
            #ifdef __FreeBSD__
                uint64_t ext[4];
            #endif
            };

            int kqueue(void) {
                return 77;
            }

            int kevent(int kq, const struct kevent *changes, int nchanges,
                       struct kevent *events, int nevents, const struct timespec *timeout) {
                if (!timeout) {
                    errno = ENOMEM;
                    return -1;
                }
                for (int i = 0; i < nchanges && i < nevents; i++) {
                    events[i].ident = changes[i].ident + 1;
                    events[i].filter = changes[i].filter - 1;
                    events[i].flags = changes[i].flags + 1;
                    events[i].fflags = changes[i].fflags + 1;
                    events[i].data = kq * 1000000 + nchanges * 1000 + nevents;
                    events[i].udata = (char *) changes[i].udata + timeout->tv_nsec;
                }
                return nchanges;
            }
            """;

    @TempDir Path folder;

    @Test
    void callsReachTheLibraryOfTheProperty() throws IOException {
        Files.writeString(folder.resolve("pretend.c"), LIBRARY);
        assertEquals("", Gcc.compile(folder, "-shared", "-fPIC", "-o", "pretend.so", "pretend.c"));

        assertEquals(
                """
                missing: Optional.empty
                kqueue: 77
                kevent: 2
                event 0: 6 -2 34 1 77002005 1007
                event 1: 7 -3 3 16777217 77002005 1008
                for ever: -12\
                """,
                probe(folder.resolve("pretend.so").toString()));
    }

    @Test
    void libraryThatIsNotThereIsARefusalAndNoCrash() throws IOException {
        String said = probe("/nowhere/libkqueue.so");

        assertTrue(said.startsWith("missing: Optional[heddle.kqueue.library: "), said);
        assertTrue(said.contains("/nowhere/libkqueue.so"), said);
        assertTrue(said.endsWith("kqueue: -" + Errno.ENOSYS), said);
    }

    @Test
    void libraryWithoutTheFunctionsIsARefusal() throws IOException {
        Files.writeString(folder.resolve("other.c"), "int kqueue(void) { return 77; }\n");
        assertEquals("", Gcc.compile(folder, "-shared", "-fPIC", "-o", "other.so", "other.c"));
        String library = folder.resolve("other.so").toString();

        assertEquals(
                "missing: Optional[kqueue: no such function in "
                        + library
                        + "]\nkqueue: -"
                        + Errno.ENOSYS,
                probe(library));
    }

    private String probe(String library) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = placeOf(Kqueue.class) + File.pathSeparator + placeOf(Probe.class);
        return Gcc.run(
                folder,
                java,
                "--enable-native-access=ALL-UNNAMED",
                "-D" + Kqueue.LIBRARY_PROPERTY + "=" + library,
                "-cp",
                classes,
                Probe.class.getName());
    }

    private static String placeOf(Class<?> type) {
        try {
            var place = type.getProtectionDomain().getCodeSource().getLocation();
            return Path.of(place.toURI()).toString();
        } catch (URISyntaxException cause) {
            throw new AssertionError(cause);
        }
    }

    /// What runs in the other JVM.
    static final class Probe {
        private Probe() {}

        public static void main(String[] arguments) {
            try (var state = new CallState()) {
                System.out.println("missing: " + Kqueue.missing());
                int kq = Kqueue.kqueue(state);
                System.out.println("kqueue: " + kq);
                if (kq >= 0) {
                    probe(state, kq);
                }
            }
        }

        private static void probe(CallState state, int kq) {
            var changes = Memory.allocate(2 * Kqueue.KEVENT_SIZE);
            var events = Memory.allocate(5 * Kqueue.KEVENT_SIZE);
            var timespec = Memory.allocate(Timespec.LAYOUT.byteSize());
            Kqueue.set(changes, 0, 5, Kqueue.EVFILT_READ, 0x21, 0, 0, 1000);
            Kqueue.set(changes, 1, 6, Kqueue.EVFILT_WRITE, 2, Kqueue.NOTE_TRIGGER, 0, 1001);
            Timespec.set(timespec, 7);
            int count = Kqueue.kevent(state, kq, changes, 2, events, 5, timespec);
            System.out.println("kevent: " + count);
            for (int i = 0; i < count; i++) {
                System.out.println(
                        "event %d: %d %d %d %d %d %d"
                                .formatted(
                                        i,
                                        Kqueue.ident(events, i),
                                        Kqueue.filter(events, i),
                                        Kqueue.flags(events, i),
                                        Kqueue.fflags(events, i),
                                        Kqueue.data(events, i),
                                        Kqueue.udata(events, i)));
            }
            var none = MemorySegment.NULL;
            System.out.println("for ever: " + Kqueue.kevent(state, kq, none, 0, none, 0, none));
        }
    }
}
