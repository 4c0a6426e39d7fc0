package dev.heddle.reactor;

import dev.heddle.sys.Kqueue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// Which filters the kernel has for each descriptor, and the change lists that bring them in line
/// with what the [FdTable] asks for.
///
/// Decides and encodes; [KqueueReactor] makes the calls and tells what came of them.
///
/// **Thread:** loop.
final class KqueueFilters {
    /*
     * A change list is made at the last moment, by comparing `words` with the table. Ten modifies
     * between two polls therefore cost one change per filter, and a descriptor that comes and goes
     * between two polls costs none. The rejected alternative, appending changes as they are asked
     * for, has to search the list for what a later call revokes.
     */

    // In a word: the descriptor is in `behind`.
    private static final int BEHIND = 1 << 16;

    private final FdTable table;
    private final MemorySegment list;
    private final int listMax;

    // By descriptor: the directions the kernel has filters for, LEVEL if they lack EV_CLEAR,
    // BEHIND.
    private int[] words = new int[16];

    // Descriptors whose filters may differ from the table. Each once, which bounds it.
    private int[] behind = new int[16];
    private int behindCount;

    // How many of `behind` the last encode took.
    private int encodedFds;

    /// @param list room for change lists: at least the six changes that one descriptor may need,
    ///   three filters deleted and three added
    KqueueFilters(FdTable table, MemorySegment list) {
        this.table = table;
        this.list = list;
        listMax = (int) (list.byteSize() / Kqueue.KEVENT_SIZE);
    }

    /// Notes that the table has something new about `fd`.
    void fallBehind(int fd) {
        reach(fd);
        if ((words[fd] & BEHIND) != 0) {
            return;
        }
        words[fd] |= BEHIND;
        if (behindCount == behind.length) {
            behind = Arrays.copyOf(behind, behindCount * 2);
        }
        behind[behindCount++] = fd;
    }

    int behindCount() {
        return behindCount;
    }

    int behindAt(int index) {
        return behind[index];
    }

    /// Writes the changes of the longest-waiting descriptors, whole descriptors only.
    ///
    /// @param flags added to every change
    /// @return how many changes are in the list
    int encode(int changesMax, int fdsMax, int flags) {
        int max = Math.min(changesMax, listMax);
        int changes = 0;
        encodedFds = 0;
        while (encodedFds < behindCount && encodedFds < fdsMax) {
            int fd = behind[encodedFds];
            if (changes + changesOf(fd) > max) {
                break;
            }
            changes = write(fd, changes, flags);
            encodedFds++;
        }
        return changes;
    }

    /// {@return whether the last [#encode] left nobody behind}
    boolean encodedAll() {
        return encodedFds == behindCount;
    }

    /// The kernel has taken what the last [#encode] wrote.
    void applied() {
        for (int i = 0; i < encodedFds; i++) {
            words[behind[i]] = wanted(behind[i]);
        }
        behindCount -= encodedFds;
        System.arraycopy(behind, encodedFds, behind, 0, behindCount);
        encodedFds = 0;
    }

    /// The kernel may have taken what the last [#encode] wrote, or a part of it. It counts as there
    /// and as missing, and is written again: adding twice is harmless, and so is a delete too many.
    void unsure() {
        for (int i = 0; i < encodedFds; i++) {
            unsure(behind[i]);
        }
        encodedFds = 0;
    }

    void unsure(int fd) {
        words[fd] |= wanted(fd) & Interest.DIRECTIONS;
        fallBehind(fd);
    }

    /// Writes the changes of one descriptor, whether it is behind or not.
    int encodeOne(int fd, int flags) {
        reach(fd);
        return write(fd, 0, flags);
    }

    /// The kernel has taken what [#encodeOne] wrote. The descriptor stays behind if it was: the
    /// next poll then repeats its changes, which is harmless.
    void appliedOne(int fd) {
        words[fd] = (words[fd] & BEHIND) | wanted(fd);
    }

    /// Takes back one change of those that were just applied.
    ///
    /// @return whether it was an addition; if not, the filter went away with its closed descriptor
    boolean refused(int fd, int filter) {
        int direction = direction(filter);
        boolean addition = (words[fd] & direction) != 0;
        words[fd] &= ~direction;
        return addition;
    }

    /// {@return the direction that `filter` reports}
    static int direction(int filter) {
        return switch (filter) {
            case Kqueue.EVFILT_READ -> Interest.READ;
            case Kqueue.EVFILT_WRITE -> Interest.WRITE;
            case Kqueue.EVFILT_EXCEPT -> Interest.PRIORITY;
            default -> throw new AssertionError("filter " + filter + " was never added");
        };
    }

    private int write(int fd, int at, int flags) {
        int next = at;
        int unwanted = unwanted(fd);
        int wanted = wanted(fd);
        long token = table.has(fd) ? table.token(fd) : 0;
        for (int bit = Interest.READ; bit <= Interest.PRIORITY; bit <<= 1) {
            if ((unwanted & bit) != 0) {
                int delete = Kqueue.EV_DELETE | flags;
                Kqueue.set(list, next++, fd, filter(bit), delete, 0, 0, token);
            }
        }
        int clear = (wanted & Interest.LEVEL) == 0 ? Kqueue.EV_CLEAR : 0;
        for (int bit = Interest.READ; bit <= Interest.PRIORITY; bit <<= 1) {
            // Also where the kernel has the filter: adding it again gives it the new token, and
            // looks anew whether it is ready.
            if ((wanted & bit) != 0) {
                add(next++, fd, bit, Kqueue.EV_ADD | clear | flags, token);
            }
        }
        return next;
    }

    private void add(int index, int fd, int direction, int flags, long token) {
        boolean asked = (table.interest(fd) & direction) != 0;
        int fflags = direction == Interest.PRIORITY ? Kqueue.NOTE_OOB : 0;
        Kqueue.set(
                list,
                index,
                fd,
                filter(direction),
                flags,
                asked ? fflags : Kqueue.NOTE_LOWAT,
                asked ? 0 : Integer.MAX_VALUE,
                token);
    }

    private static int filter(int direction) {
        return switch (direction) {
            case Interest.READ -> Kqueue.EVFILT_READ;
            case Interest.WRITE -> Kqueue.EVFILT_WRITE;
            case Interest.PRIORITY -> Kqueue.EVFILT_EXCEPT;
            default -> throw new AssertionError("direction " + direction);
        };
    }

    private int changesOf(int fd) {
        return Integer.bitCount(unwanted(fd)) + Integer.bitCount(wanted(fd) & Interest.DIRECTIONS);
    }

    // A filter keeps the EV_CLEAR, or the lack of it, that it was first added with: where that
    // changes it has to go and be made anew.
    private int unwanted(int fd) {
        int has = words[fd];
        int wanted = wanted(fd);
        boolean anew = ((has ^ wanted) & Interest.LEVEL) != 0;
        return has & Interest.DIRECTIONS & (anew ? Interest.DIRECTIONS : ~wanted);
    }

    // In terms of filters. Urgent data alone needs the one for reading too: it is what tells of the
    // end of the stream, and a low-water mark that is never reached keeps it from telling more.
    private int wanted(int fd) {
        if (!table.has(fd)) {
            return Interest.NONE;
        }
        int interest = table.interest(fd);
        return (interest & Interest.PRIORITY) == 0 ? interest : interest | Interest.READ;
    }

    private void reach(int fd) {
        if (fd >= words.length) {
            words = Arrays.copyOf(words, Math.max(fd + 1, words.length * 2));
        }
    }
}
