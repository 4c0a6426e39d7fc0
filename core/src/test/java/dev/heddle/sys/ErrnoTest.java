package dev.heddle.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Modifier;
import java.util.HashSet;

final class ErrnoTest {
    @Test
    void everyNumberIsDescribedByItsNameAndAFewWords() throws IllegalAccessException {
        var seen = new HashSet<Integer>();
        for (var field : Errno.class.getDeclaredFields()) {
            if (Modifier.isPublic(field.getModifiers())) {
                int number = field.getInt(null);
                String text = Errno.describe(number);
                String form = field.getName() + " \\([a-z ,']+\\)";
                assertTrue(text.matches(form), field.getName() + " is described as " + text);
                assertTrue(seen.add(number), number + " has two names");
            }
        }
        assertTrue(seen.size() >= 19, "reflection finds too few: " + seen);
    }

    @Test
    void unknownNumberIsDescribedByItself() {
        assertEquals("errno 9999", Errno.describe(9999));
        assertEquals("errno 0", Errno.describe(0));
    }
}
