package dev.heddle.bench.race;

import java.util.List;

/// A row whose sides take turns.
///
/// **Thread:** owner (the measuring thread).
public interface Contest extends Row {
    Unit unit();

    /// Opens our side.
    Contestant openOurs() throws Exception;

    List<Rival> rivals();

    String note();

    @Override
    default Result measure(Race race) throws Exception {
        return race.run(this);
    }
}
