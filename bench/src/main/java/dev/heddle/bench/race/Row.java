package dev.heddle.bench.race;

/// One line of the table: one question.
///
/// **Thread:** owner (the measuring thread).
public interface Row {
    String suite();

    String name();

    Result.Kind kind();

    /// Asks it.
    Result measure(Race race) throws Exception;
}
