package dev.heddle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import java.util.ArrayList;
import java.util.List;

/// Every combination of what a coroutine does, who looks, and what is done to it where: the engine
/// must tell the story that the rules tell.
@Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
@Tag("SIM-07")
final class LifeProductTest {
    private static final int SHOWN_MAX = 10;

    @Test
    void everyLifeGoesAsTheRulesSay() {
        var cases = LifeCase.all();
        assertTrue(cases.size() > 36_000, "only " + cases.size());
        var wrong = new ArrayList<String>();
        for (var life : cases) {
            var expected = new LifeModel(life).story();
            var seen = new LifeRun(life).story();
            if (!seen.equals(expected)) {
                wrong.add(life + "\n  rules:  " + expected + "\n  engine: " + seen);
            }
        }
        List<String> shown = wrong.subList(0, Math.min(SHOWN_MAX, wrong.size()));
        assertEquals(
                0,
                wrong.size(),
                () -> "of " + cases.size() + " lives:\n" + String.join("\n", shown) + "\n");
    }
}
