package dev.heddle.reactor;

import dev.heddle.sys.Sys;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The ways to wait for the operating system, and the choice among them.
///
/// A backend is chosen by trying it: versions lie (a container may forbid io_uring on the newest
/// kernel). A refusal falls to the next one silently, and [Choice#why] tells what happened. What
/// the real kernel said is remembered for the life of the process, so opening a reactor costs no
/// system call: its kernel objects are made when they are first needed.
///
/// **Thread:** any.
public enum Backend {
    EPOLL("epoll", "edges kept by the kernel", EpollReactor::new, EpollReactor::refusal),
    URING(
            "io_uring",
            "readiness and completions in one call",
            UringReactor::new,
            UringReactor::refusal),
    KQUEUE(
            "kqueue",
            "edges kept by the kernel, changes in batches",
            KqueueReactor::new,
            KqueueReactor::refusal),
    POLL("poll", "everywhere, slow with many descriptors", PollReactor::new, PollReactor::refusal),
    /// A simulated kernel with a virtual clock, for tests. Never chosen, only asked for.
    SIM("sim", "simulated, for tests", _ -> new SimReactor(), _ -> Optional.empty());

    /// The system property that forces a backend: `epoll`, `io_uring` (or `uring`), `kqueue`,
    /// `poll`, `sim`.
    public static final String PROPERTY = "heddle.backend";

    // The one place that decides the order, on whatever system: trying finds what is there.
    private static final List<Backend> PREFERENCE = List.of(EPOLL, URING, KQUEUE, POLL);

    private final String label;
    private final String offer;
    private final Function<Sys, Reactor> opener;
    private final Function<Sys, Optional<String>> refusal;

    // What the real kernel said. Any thread, at worst twice, and the answers are alike.
    private volatile @Nullable Attempt remembered;

    Backend(
            String label,
            String offer,
            Function<Sys, Reactor> opener,
            Function<Sys, Optional<String>> refusal) {
        this.label = label;
        this.offer = offer;
        this.opener = opener;
        this.refusal = refusal;
    }

    /// One backend that was tried.
    ///
    /// @param reason why it was refused, or what it offers
    public record Attempt(Backend backend, boolean available, String reason) {}

    /// A reactor, and how it was chosen.
    ///
    /// @param attempts what was tried, in this order; the last one is the one taken
    public record Choice(Reactor reactor, List<Attempt> attempts) {
        public Choice {
            attempts = List.copyOf(attempts);
        }

        /// {@return one line: what was taken, and why not the ones before it}
        public String why() {
            var taken = attempts.getLast();
            var text = new StringBuilder(taken.backend().label());
            text.append(" (").append(taken.reason()).append(')');
            for (var refused : attempts.subList(0, attempts.size() - 1)) {
                text.append("; ").append(describe(refused));
            }
            return text.toString();
        }
    }

    /// Opens the backend that [#PROPERTY] names, or else the first that the kernel does not refuse.
    ///
    /// @throws IOException if it is refused, or all are: with every reason
    /// @throws IllegalArgumentException if the property names no backend
    public static Choice open() throws IOException {
        return open(Sys.NATIVE);
    }

    /// [#open()] on another kernel, which is asked anew every time.
    public static Choice open(Sys sys) throws IOException {
        String forced = System.getProperty(PROPERTY);
        return forced == null ? choose(sys) : force(parse(forced), sys);
    }

    /// {@return what each backend that can be chosen says on this kernel now, in order of
    /// preference}
    public static List<Attempt> probe(Sys sys) {
        return PREFERENCE.stream().map(backend -> backend.ask(sys)).toList();
    }

    /// {@return the backend with this [#label] (or `uring`), in upper or lower case}
    ///
    /// @throws IllegalArgumentException if there is none, naming those there are
    public static Backend parse(String text) {
        String wanted =
                text.equalsIgnoreCase("uring") ? URING.label : text.toLowerCase(Locale.ROOT);
        for (var backend : values()) {
            if (backend.label.equals(wanted)) {
                return backend;
            }
        }
        var labels = Arrays.stream(values()).map(Backend::label).collect(Collectors.joining(", "));
        throw new IllegalArgumentException(
                "no backend is called \"" + text + "\": choose one of " + labels);
    }

    /// {@return a reactor of this backend and no other}
    ///
    /// @throws IOException if the kernel refuses it, with the reason
    public Reactor reactor(Sys sys) throws IOException {
        var attempt = attempt(sys);
        if (!attempt.available()) {
            throw new IOException(describe(attempt));
        }
        return opener.apply(sys);
    }

    /// {@return the name used on command lines and in messages}
    public String label() {
        return label;
    }

    private static Choice choose(Sys sys) throws IOException {
        var attempts = new ArrayList<Attempt>();
        for (var backend : PREFERENCE) {
            var attempt = backend.attempt(sys);
            attempts.add(attempt);
            if (attempt.available()) {
                return new Choice(backend.opener.apply(sys), attempts);
            }
        }
        var reasons = attempts.stream().map(Backend::describe).collect(Collectors.joining("; "));
        throw new IOException("no backend works here: " + reasons);
    }

    private static Choice force(Backend backend, Sys sys) throws IOException {
        var reactor = backend.reactor(sys);
        var attempt = new Attempt(backend, true, "forced by " + PROPERTY);
        return new Choice(reactor, List.of(attempt));
    }

    /// What the kernel says, from memory if it is the real one.
    Attempt attempt(Sys sys) {
        if (sys != Sys.NATIVE) {
            return ask(sys);
        }
        var known = remembered;
        if (known == null) {
            known = ask(sys);
            remembered = known;
        }
        return known;
    }

    private Attempt ask(Sys sys) {
        return refusal.apply(sys)
                .map(reason -> new Attempt(this, false, reason))
                .orElseGet(() -> new Attempt(this, true, offer));
    }

    private static String describe(Attempt refused) {
        return refused.backend().label() + " refused: " + refused.reason();
    }
}
