package dev.heddle.cli;

import java.util.Optional;

/// One thing that [Doctor] looked at.
///
/// **Thread:** immutable.
///
/// @param section what it belongs to, a headline
/// @param fix the line that puts it right, if something can be done
record Finding(String section, String name, Status status, String text, Optional<String> fix) {
    enum Status {
        OK("ok"),
        /// Not there, and nothing is the worse for it.
        ABSENT("-"),
        /// Programs run, but something could be better.
        NOTE("note"),
        /// Programs cannot run.
        PROBLEM("problem");

        private final String label;

        Status(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    static Finding ok(String section, String name, String text) {
        return new Finding(section, name, Status.OK, text, Optional.empty());
    }

    static Finding absent(String section, String name, String text) {
        return new Finding(section, name, Status.ABSENT, text, Optional.empty());
    }

    static Finding note(String section, String name, String text, String fix) {
        return new Finding(section, name, Status.NOTE, text, Optional.of(fix));
    }

    static Finding problem(String section, String name, String text, String fix) {
        return new Finding(section, name, Status.PROBLEM, text, Optional.of(fix));
    }
}
