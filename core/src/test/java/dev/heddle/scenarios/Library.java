package dev.heddle.scenarios;

import org.junit.jupiter.api.Named;

import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// All stories: every class in a theme that is one, so that none can be forgotten.
///
/// **Thread:** immutable.
final class Library {
    private static final List<Class<?>> THEMES =
            List.of(
                    Awaiting.class,
                    Belonging.class,
                    Combinations.class,
                    Computing.class,
                    Contexts.class,
                    Deadlines.class,
                    Descriptors.class,
                    Endings.class,
                    Gathering.class,
                    Handles.class,
                    Limiting.class,
                    Looping.class,
                    Offloading.class,
                    Owning.class,
                    Promising.class,
                    Racing.class,
                    SafeScopes.class,
                    Sources.class,
                    Spawning.class,
                    Stages.class,
                    Structures.class);

    /// Stories that are not tortured, and why. At most ten.
    static final Map<Class<? extends Story>, String> SPARED =
            Map.of(
                    Endings.PromiseThatNobodyKeeps.class,
                    "it ends by a deadlock when nobody interferes, and a torture needs a good end",
                    Endings.ManyWaitForOneThatWaitsForNothing.class,
                    "it ends by a deadlock when nobody interferes, and a torture needs a good end");

    private Library() {}

    /// {@return for each story what makes one, under its name, in a fixed order}
    static List<Named<Supplier<Story>>> all() {
        return THEMES.stream()
                .flatMap(theme -> Stream.of(theme.getDeclaredClasses()).sorted(byName()))
                .filter(Story.class::isAssignableFrom)
                .filter(each -> !Modifier.isAbstract(each.getModifiers()))
                .map(each -> Named.of(nameOf(each), makerOf(each)))
                .toList();
    }

    /// {@return those that can be tortured}
    static List<Named<Supplier<Story>>> mortal() {
        return all().stream()
                .filter(each -> !SPARED.containsKey(each.getPayload().get().getClass()))
                .toList();
    }

    private static Comparator<Class<?>> byName() {
        return Comparator.comparing(Class::getName);
    }

    static String nameOf(Class<?> story) {
        String full = story.getName();
        return full.substring(full.lastIndexOf('.') + 1).replace('$', '.');
    }

    private static Supplier<Story> makerOf(Class<?> type) {
        Constructor<?> maker = Arrays.stream(type.getDeclaredConstructors()).findFirst().get();
        return () -> {
            try {
                return (Story) maker.newInstance();
            } catch (ReflectiveOperationException impossible) {
                throw new AssertionError(impossible);
            }
        };
    }
}
