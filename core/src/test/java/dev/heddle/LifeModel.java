package dev.heddle;

import dev.heddle.LifeCase.Awaiter;
import dev.heddle.LifeCase.Cancel;
import dev.heddle.LifeCase.Dispose;
import dev.heddle.LifeCase.Where;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The rules of a coroutine's life, as they are promised: from the case to the story, without an
/// engine.
///
/// **Thread:** owner (the test).
final class LifeModel {
    private final LifeCase life;

    LifeModel(LifeCase life) {
        this.life = life;
    }

    LifeStory story() {
        var outcome = outcome();
        return new LifeStory(
                outcome,
                awaiter(outcome),
                life.awaiter() == Awaiter.HANDLER ? List.of(outcome) : List.of(),
                errorWentTo().map(List::of).orElse(List.of()),
                isZombie(),
                outcome.startsWith("cancelled"),
                reason().isPresent(),
                reports());
    }

    // The first reason wins. A scope that is disposed of safely cancels only what has not begun.
    private Optional<String> reason() {
        if (life.where() == Where.IN_CLEAN_UP) {
            return Optional.of("earlier");
        }
        if (life.dispose() != Dispose.NOT && life.where() == Where.QUEUED) {
            return Optional.of("scope disposed of safely");
        }
        if (life.dispose() == Dispose.SAFELY_THEN_FOR_REAL) {
            return Optional.of("scope disposed of");
        }
        boolean inTime = life.cancel() == Cancel.ONCE || life.cancel() == Cancel.TWICE;
        return inTime ? Optional.of("first") : Optional.empty();
    }

    // What has begun, and is not cleaning up, becomes one; a real disposal does not undo that.
    private boolean isZombie() {
        return life.dispose() != Dispose.NOT
                && life.where() != Where.QUEUED
                && life.where() != Where.IN_CLEAN_UP;
    }

    private String outcome() {
        if (reason().isEmpty()) {
            return switch (life.body()) {
                case VALUE, SWALLOWS, UNTIDY -> "success";
                case UNCHECKED -> "failure: unchecked";
                case CHECKED -> "failure: checked";
                case ERROR -> "failure: error";
                case FOREIGN_CANCELLATION -> "failure: foreign";
            };
        }
        String cancelled = "cancelled: " + reason().get();
        if (life.where() == Where.QUEUED) {
            return cancelled;
        }
        return switch (life.body()) {
            case VALUE, UNCHECKED, CHECKED, ERROR, FOREIGN_CANCELLATION -> cancelled;
            case SWALLOWS -> "success";
            // What is thrown where an interrupt of ours has ended a call of the JDK is what a
            // library
            // makes of that.
            case UNTIDY ->
                    life.where() == Where.IN_THE_JDK
                            ? cancelled
                            : "failure: untidy, suppressed " + reason().get();
        };
    }

    private String awaiter(String outcome) {
        return switch (life.awaiter()) {
            case BEFORE, AFTER -> outcome;
            case LEFT_BY_TOKEN -> "left";
            case NOBODY, MARKED_OBSERVED, HANDLER -> "";
        };
    }

    private boolean failed() {
        return outcome().startsWith("failure");
    }

    private boolean isForeign() {
        return outcome().equals("failure: foreign");
    }

    // Who comes after the end finds it, but was not there to take it.
    private boolean isObserved() {
        return switch (life.awaiter()) {
            case BEFORE, LEFT_BY_TOKEN, MARKED_OBSERVED -> true;
            case NOBODY, AFTER, HANDLER -> false;
        };
    }

    private Optional<String> errorWentTo() {
        if (!failed() || isObserved()) {
            return Optional.empty();
        }
        return switch (life.home()) {
            case SAFE -> Optional.of("handler");
            case INHERITED -> Optional.of("parent's handler");
            case STRUCTURED -> Optional.of("block");
            // Somebody else's cancellation is no reason to end the program.
            case ROOT, NOT_SAFE -> isForeign() ? Optional.empty() : Optional.of("program");
        };
    }

    private List<Report.Kind> reports() {
        var kinds = new ArrayList<Report.Kind>();
        if (isZombie()) {
            kinds.add(Report.Kind.ZOMBIE);
        }
        if (errorWentTo().equals(Optional.of("program"))) {
            kinds.add(Report.Kind.UNCAUGHT);
        }
        boolean read = life.awaiter() == Awaiter.BEFORE;
        if (failed() && isObserved() && !read && !isForeign()) {
            kinds.add(Report.Kind.UNREAD_FAILURE);
        }
        return kinds;
    }
}
