package dev.heddle;

import dev.heddle.LifeCase.Awaiter;
import dev.heddle.LifeCase.Body;
import dev.heddle.LifeCase.Cancel;
import dev.heddle.LifeCase.Dispose;
import dev.heddle.LifeCase.Form;
import dev.heddle.LifeCase.Where;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
                reports(),
                below());
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
        return switch (life.form()) {
            case PLAIN, OWNER, HOST, DAEMON, HOST_OF_DAEMON -> plain();
            case LIMITED, SPAWNS_IN_CLEAN_UP -> afterAWait();
            case BRITTLE_OWNER -> joined("close");
            case HOST_OF_UNTIDY -> isChildCut() ? joined("child") : plain();
            case SHIELDED_HOST -> shielded();
        };
    }

    // What a library has made of our interrupt counts as the cancellation only until the next
    // suspension point.
    private String afterAWait() {
        boolean late =
                life.where() == Where.IN_THE_JDK
                        && life.body() == Body.UNTIDY
                        && reason().isPresent()
                        && !below().equals("refused");
        return late ? "failure: untidy, suppressed " + reason().get() : plain();
    }

    // One that failed in its block or its close, after the body: a failure hides it, and no
    // cancellation does.
    private String joined(String failure) {
        String before = plain();
        String delivered =
                Stream.concat(reason().stream(), ofTheChild())
                        .distinct()
                        .sorted()
                        .collect(Collectors.joining(" and "));
        delivered = delivered.isEmpty() ? "" : ", suppressed " + delivered;
        return switch (before) {
            case "success" -> "failure: " + failure + delivered;
            case "failure: foreign" -> "failure: " + failure + ", suppressed foreign";
            case String cancelled when cancelled.startsWith("cancelled") ->
                    "failure: " + failure + delivered;
            case String failed when failed.contains(", suppressed ") ->
                    failed.replace(", suppressed ", ", suppressed " + failure + " and ");
            default -> before + ", suppressed " + failure;
        };
    }

    // A child that is cancelled with the scope has that in its own failure.
    private Stream<String> ofTheChild() {
        boolean byTheScope = life.form() == Form.HOST_OF_UNTIDY && isDisposed();
        return byTheScope ? Stream.of("scope disposed of") : Stream.of();
    }

    // Nothing comes in, and what was kept out is thrown at the end, unless a failure is.
    private String shielded() {
        boolean never = life.where() == Where.QUEUED && reason().isPresent();
        return switch (life.body()) {
            case VALUE, SWALLOWS, FOREIGN_CANCELLATION -> plain();
            case UNTIDY -> never || reason().isEmpty() ? plain() : afterAShield();
            case UNCHECKED -> never ? plain() : "failure: unchecked";
            case CHECKED -> never ? plain() : "failure: checked";
            case ERROR -> never ? plain() : "failure: error";
        };
    }

    private String afterAShield() {
        return "failure: untidy, suppressed " + reason().orElseThrow();
    }

    private boolean neverBegins() {
        return life.where() == Where.QUEUED && reason().isPresent();
    }

    private String below() {
        return switch (life.form()) {
            case PLAIN, LIMITED, DAEMON -> "";
            case HOST_OF_DAEMON -> neverBegins() ? "" : "cancelled";
            case OWNER, BRITTLE_OWNER -> "closed";
            case HOST, HOST_OF_UNTIDY ->
                    neverBegins() ? "" : isBlockLeftWell() && !isDisposed() ? "done" : "not done";
            case SHIELDED_HOST -> neverBegins() ? "" : endsWell() ? "done" : "not done";
            case SPAWNS_IN_CLEAN_UP -> goodbye();
        };
    }

    // A block goes on with who is in it, also with a zombie.
    private boolean isBlockLeftWell() {
        return plain().equals("success");
    }

    private boolean isDisposed() {
        return life.dispose() == Dispose.SAFELY_THEN_FOR_REAL;
    }

    private boolean endsWell() {
        return switch (life.body()) {
            case VALUE, SWALLOWS, UNTIDY -> true;
            case UNCHECKED, CHECKED, ERROR, FOREIGN_CANCELLATION -> false;
        };
    }

    // A child that has begun; while its host runs, that is only if the host waits once more.
    private boolean isChildCut() {
        boolean began =
                switch (life.where()) {
                    case QUEUED -> false;
                    case RUNNING -> reason().isEmpty();
                    default -> true;
                };
        return began && below().equals("not done");
    }

    // A scope that is being cancelled takes it; one that was only closed does not.
    private String goodbye() {
        if (reason().isEmpty() || neverBegins()) {
            return "";
        }
        return life.dispose() == Dispose.SAFELY ? "refused" : "goodbye";
    }

    private String plain() {
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
            case SUPERVISED -> Optional.of("supervisor");
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
