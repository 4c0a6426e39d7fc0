package dev.heddle.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.domain.properties.HasParameterTypes;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import dev.heddle.Coroutine;
import dev.heddle.Deferred;
import dev.heddle.Heddle;
import dev.heddle.Promise;
import dev.heddle.Scope;
import dev.heddle.Token;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// No public operation is missing in the stories.
@Tag("SIM-02")
class ScenarioCoverageTest {
    private static final int STORIES_MIN = 100;
    private static final int USES_MIN = 2;

    // Not operations, or those of the layer below; `with` needs a thread that has no loop, and
    // `call` one that the loop does not wait for.
    private static final Set<String> NO_OPERATIONS =
            Set.of(
                    "equals",
                    "hashCode",
                    "toString",
                    "with",
                    "call",
                    "subscribe",
                    "markUsed",
                    "loop");

    @Test
    void everyPublicOperationIsInTwoStories() {
        var used = new TreeMap<String, Set<String>>();
        var classes =
                new ClassFileImporter()
                        .importClasses(
                                Heddle.class,
                                Scope.class,
                                Coroutine.class,
                                Deferred.class,
                                Promise.class,
                                Token.class);
        classes.stream()
                .flatMap(type -> type.getMethods().stream())
                .filter(ScenarioCoverageTest::isOperation)
                .forEach(method -> used.put(key(method), new TreeSet<>()));
        addUses(used);
        var missing =
                used.entrySet().stream()
                        .filter(entry -> entry.getValue().size() < USES_MIN)
                        .map(Object::toString)
                        .toList();
        assertEquals(List.of(), missing);
    }

    @Test
    void thereAreAHundredStories() {
        assertTrue(Library.all().size() >= STORIES_MIN, Library.all().size() + " stories");
    }

    private static boolean isOperation(JavaMethod method) {
        return method.getModifiers().contains(JavaModifier.PUBLIC)
                && !method.getModifiers().contains(JavaModifier.SYNTHETIC)
                && !method.getModifiers().contains(JavaModifier.BRIDGE)
                && !NO_OPERATIONS.contains(method.getName());
    }

    private static void addUses(Map<String, Set<String>> used) {
        for (var story : new ClassFileImporter().importPackages(Story.class.getPackageName())) {
            if (story.isAssignableTo(Story.class)) {
                Stream.concat(
                                story.getCodeUnitCallsFromSelf().stream(),
                                story.getCodeUnitReferencesFromSelf().stream())
                        .map(access -> used.get(key(access.getTarget())))
                        .filter(Objects::nonNull)
                        .forEach(uses -> uses.add(story.getSimpleName()));
            }
        }
    }

    private static String key(JavaMethod method) {
        return key(method.getOwner().getSimpleName(), method);
    }

    private static String key(CodeUnitAccessTarget target) {
        return key(target.getOwner().getSimpleName(), target);
    }

    private static String key(String owner, HasParameterTypes method) {
        var types = method.getRawParameterTypes().stream().map(JavaClass::getSimpleName).toList();
        return owner + "." + ((HasName) method).getName() + types;
    }
}
