package dev.heddle.sys;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.StructLayout;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/// Everything that `dev.heddle.sys` states about C, found by reflection so that nothing is
/// forgotten: every public number, every struct, and every system call's number, public or not.
///
/// A name that is not C's own has to be in one of these tables. One that is in none of them goes to
/// the compiler as it is, which does not know it, and the test fails.
final class LayoutClaims {
    /// Structs: what each is in C.
    private static final Map<String, String> STRUCTS =
            Map.ofEntries(
                    Map.entry("Cqe.LAYOUT", "struct io_uring_cqe"),
                    Map.entry("Epoll.EVENT", "struct epoll_event"),
                    Map.entry("Kqueue.KEVENT", "struct kevent"),
                    Map.entry("Limits.RLIMIT", "struct rlimit"),
                    Map.entry("Poll.POLLFD", "struct pollfd"),
                    Map.entry("Sqe.LAYOUT", "struct io_uring_sqe"),
                    Map.entry("Timespec.LAYOUT", "struct timespec"),
                    Map.entry("UringParams.CQ_OFFSETS", "struct io_cqring_offsets"),
                    Map.entry("UringParams.LAYOUT", "struct io_uring_params"),
                    Map.entry("UringParams.SQ_OFFSETS", "struct io_sqring_offsets"),
                    Map.entry("UringWait.LAYOUT", "struct io_uring_getevents_arg"));

    /// Numbers under a name of our own.
    private static final Map<String, String> EXPRESSIONS =
            Map.ofEntries(
                    Map.entry("Cqe.SIZE", "sizeof(struct io_uring_cqe)"),
                    Map.entry("Epoll.EVENT_SIZE", "sizeof(struct epoll_event)"),
                    Map.entry("Kqueue.KEVENT_SIZE", "sizeof(struct kevent)"),
                    Map.entry("Poll.POLLFD_SIZE", "sizeof(struct pollfd)"),
                    Map.entry("Sqe.SIZE", "sizeof(struct io_uring_sqe)"),
                    Map.entry("Stat.ST_MODE_OFFSET", "offsetof(struct stat, st_mode)"),
                    Map.entry("Uring.SYS_SETUP", "SYS_io_uring_setup"),
                    Map.entry("Uring.SYS_ENTER", "SYS_io_uring_enter"),
                    Map.entry("Uring.SYS_REGISTER", "SYS_io_uring_register"),
                    Map.entry("UringParams.SIZE", "sizeof(struct io_uring_params)"),
                    Map.entry("UringWait.SIZE", "sizeof(struct io_uring_getevents_arg)"));

    /// Numbers that C has no word for.
    private static final Set<String> OURS =
            Set.of(
                    "Kqueue.TIMEOUT_GRAIN_NANOS", // what Apple's kernel does, no header says it
                    "Kqueue.TIMEOUT_SECONDS_MAX", // likewise
                    "Stat.SIZE"); // room for any system's struct; has a test of its own

    private final List<LayoutClaim> all = new ArrayList<>();
    private final List<String> unmapped = new ArrayList<>();

    LayoutClaims() {
        for (var type : classes()) {
            for (var field : type.getDeclaredFields()) {
                collect(type, field);
            }
        }
    }

    List<LayoutClaim> all() {
        return all;
    }

    /// {@return structs that nobody said the C name of}
    List<String> unmapped() {
        return unmapped;
    }

    private void collect(Class<?> type, Field field) {
        int modifiers = field.getModifiers();
        boolean constant = Modifier.isStatic(modifiers) && Modifier.isFinal(modifiers);
        boolean stated = Modifier.isPublic(modifiers) || field.getName().startsWith("SYS_");
        String name = type.getSimpleName() + "." + field.getName();
        if (!constant || !stated || OURS.contains(name)) {
            return;
        }
        if (field.getType() == StructLayout.class) {
            collectStruct(type, field.getName(), (StructLayout) value(field));
        } else if (value(field) instanceof Number number) {
            long value = number.longValue();
            // A system call that this machine does not make by number.
            if (value != -1 || !field.getName().startsWith("SYS_")) {
                int bytes = widthOf(number);
                all.add(new LayoutClaim(type, field.getName(), expression(name), value, bytes));
            }
        }
    }

    private void collectStruct(Class<?> type, String name, GroupLayout layout) {
        String struct = STRUCTS.get(type.getSimpleName() + "." + name);
        if (struct == null) {
            unmapped.add(type.getSimpleName() + "." + name);
            return;
        }
        add(type, name + " size", "sizeof(" + struct + ")", layout.byteSize());
        long offset = 0;
        for (var member : layout.memberLayouts()) {
            var label = member.name();
            if (label.isPresent()) {
                String field = name + "." + label.get();
                String size = "sizeof(((" + struct + " *) 0)->" + label.get() + ")";
                add(type, field, "offsetof(" + struct + ", " + label.get() + ")", offset);
                add(type, field + " size", size, member.byteSize());
            }
            offset += member.byteSize();
        }
    }

    private void add(Class<?> type, String name, String expression, long value) {
        all.add(new LayoutClaim(type, name, expression, value, Long.BYTES));
    }

    private static String expression(String name) {
        String own = EXPRESSIONS.get(name);
        if (own != null) {
            return own;
        }
        String constant = name.substring(name.indexOf('.') + 1);
        return constant.startsWith("SYS_")
                ? "SYS_" + constant.substring("SYS_".length()).toLowerCase(Locale.ROOT)
                : constant;
    }

    private static int widthOf(Number number) {
        return switch (number) {
            case Byte _ -> Byte.BYTES;
            case Short _ -> Short.BYTES;
            case Integer _ -> Integer.BYTES;
            default -> Long.BYTES;
        };
    }

    private static Object value(Field field) {
        try {
            field.setAccessible(true);
            return field.get(null);
        } catch (IllegalAccessException cause) {
            throw new AssertionError(field.toString(), cause);
        }
    }

    private static List<Class<?>> classes() {
        try {
            var root =
                    Path.of(Sys.class.getProtectionDomain().getCodeSource().getLocation().toURI());
            var folder = root.resolve(Sys.class.getPackageName().replace('.', '/'));
            try (var files = Files.list(folder)) {
                var found = new ArrayList<Class<?>>();
                for (var file : files.sorted().toList()) {
                    String name = file.getFileName().toString();
                    if (name.endsWith(".class") && !name.equals("package-info.class")) {
                        String simple = name.substring(0, name.length() - ".class".length());
                        found.add(Class.forName(Sys.class.getPackageName() + "." + simple));
                    }
                }
                return found;
            }
        } catch (IOException cause) {
            throw new UncheckedIOException("the classes must be in a folder, not a jar", cause);
        } catch (URISyntaxException | ClassNotFoundException cause) {
            throw new AssertionError(cause);
        }
    }
}
