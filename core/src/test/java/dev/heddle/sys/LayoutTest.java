package dev.heddle.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// Every struct, constant and system call number against the C compiler of this machine.
@Tag("FI-07")
final class LayoutTest {
    /// Names that are younger than the headers of Debian 12 (Linux 6.1), with the value that the
    /// named version's `include/uapi/linux/io_uring.h` gives them. Headers that know them are
    /// believed.
    private static final Map<String, Long> YOUNGER_THAN_SOME_HEADERS =
            Map.of(
                    "IORING_SETUP_NO_SQARRAY", 1L << 16, // Linux 6.6
                    "IORING_FEAT_NO_IOWAIT", 1L << 17, // Linux 6.15
                    "IORING_ENTER_NO_IOWAIT", 1L << 7); // Linux 6.15

    /// Fields that took the place of padding in later headers.
    private static final Map<String, String> OLDER_NAMES =
            Map.of(
                    "min_wait_usec", "pad", // of io_uring_getevents_arg, Linux 6.12
                    "user_addr", "resv2"); // of io_sqring_offsets and io_cqring_offsets, Linux 6.5

    /// What only some systems have, by the header that it is in.
    private static final Map<Class<?>, String> HEADERS =
            Map.of(
                    Epoll.class, "sys/epoll.h",
                    Kqueue.class, "sys/event.h",
                    Uring.class, "linux/io_uring.h",
                    UringParams.class, "linux/io_uring.h",
                    UringWait.class, "linux/io_uring.h",
                    Sqe.class, "linux/io_uring.h",
                    Cqe.class, "linux/io_uring.h");

    /// What macOS or FreeBSD lacks. Compared where it is there, excused only away from Linux.
    private static final Set<String> NOT_EVERYWHERE =
            Set.of(
                    "EFD_CLOEXEC",
                    "EFD_NONBLOCK",
                    "ETIME",
                    "EVFILT_EXCEPT",
                    "MAP_POPULATE",
                    "NOTE_OOB");

    @TempDir static Path folder;

    private static final LayoutClaims CLAIMS = new LayoutClaims();
    private static CompiledC c;

    @BeforeAll
    static void compile() throws IOException {
        var expressions = new ArrayList<String>();
        CLAIMS.all().forEach(claim -> expressions.add(claim.expression()));
        expressions.add("sizeof(struct stat)");
        expressions.add("sizeof(((struct stat *) 0)->st_mode)");
        c = new CompiledC(folder, expressions, OLDER_NAMES);
    }

    @Test
    void everyNumberIsWhatCSays() {
        var wrong = new ArrayList<String>();
        int checked = 0;
        for (var claim : CLAIMS.all()) {
            if (c.knows(claim.expression())) {
                long value = c.valueOf(claim.expression());
                checked++;
                if (!claim.holds(value)) {
                    wrong.add(
                            claim
                                    + " is "
                                    + claim.value()
                                    + ", C's "
                                    + claim.expression()
                                    + " "
                                    + value);
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(checked > 100, checked + " numbers were compared: reflection finds too few");
    }

    @Test
    void everyStructHasItsNameInC() {
        assertEquals(
                List.of(), CLAIMS.unmapped(), "say in LayoutClaims.STRUCTS what these are in C");
    }

    @Test
    void onlyTheYoungestNamesAreUnknownToTheHeaders() {
        var unexpected = new TreeSet<String>();
        for (var claim : CLAIMS.all()) {
            boolean excused =
                    YOUNGER_THAN_SOME_HEADERS.containsKey(claim.expression()) || isForeign(claim);
            if (!excused && !c.knows(claim.expression())) {
                unexpected.add(claim + " (" + claim.expression() + ")");
            }
        }
        assertEquals(
                Set.of(),
                unexpected,
                "not in the installed headers: misspelt, or younger than they are; then enter it in"
                        + " YOUNGER_THAN_SOME_HEADERS with the value and the kernel's version");
    }

    @Test
    void theYoungestNamesHaveTheirLiteralValues() {
        var left = new HashSet<>(YOUNGER_THAN_SOME_HEADERS.keySet());
        for (var claim : CLAIMS.all()) {
            if (left.remove(claim.expression())) {
                long expected = YOUNGER_THAN_SOME_HEADERS.get(claim.expression());
                assertTrue(claim.holds(expected), claim + " is " + claim.value());
            }
        }
        assertEquals(Set.of(), left, "nothing has these names any more: take them off the list");
    }

    @Test
    void headersOfThisSystemAreInstalled() {
        if (Platform.isLinux()) {
            for (String header : List.of("sys/epoll.h", "sys/eventfd.h", "linux/io_uring.h")) {
                assertTrue(
                        c.knows(header), header + ": apt-get install -y libc6-dev linux-libc-dev");
            }
        } else {
            assertTrue(c.knows("sys/event.h"), "sys/event.h: install the system's C headers");
        }
    }

    @Test
    void roomForAStatIsEnoughAndItsModeIsReadWhole() {
        assertTrue(Stat.SIZE >= c.valueOf("sizeof(struct stat)"));
        assertEquals(
                Platform.isLinux() ? Integer.BYTES : Short.BYTES,
                c.valueOf("sizeof(((struct stat *) 0)->st_mode)"));
    }

    private static boolean isForeign(LayoutClaim claim) {
        String header = HEADERS.get(claim.owner());
        return (header != null && !c.knows(header))
                || (!Platform.isLinux() && NOT_EVERYWHERE.contains(claim.name()));
    }
}
