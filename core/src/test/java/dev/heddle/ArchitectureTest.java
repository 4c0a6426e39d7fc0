package dev.heddle;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;

import dev.heddle.sys.Sys;
import dev.heddle.testing.Libc;

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/// What may know what, and other rules that can be read off the compiled classes of the core.
///
/// A rule that finds nothing could also be blind, so each has a case that it must find, where the
/// code offers one.
final class ArchitectureTest {
    /// From the bottom up. A package may use those before it; the two at the top may use each
    /// other.
    private static final List<List<String>> LAYERS =
            List.of(
                    List.of("dev.heddle.sys"),
                    List.of("dev.heddle.reactor"),
                    List.of("dev.heddle.loop"),
                    List.of("dev.heddle.event"),
                    List.of("dev.heddle"),
                    List.of("dev.heddle.io", "dev.heddle.os"));

    private static final String NATIVE = "dev.heddle.sys.Native";

    private static final JavaClasses CORE = new ClassFileImporter().importPath(place());

    @Test
    void arrowsPointDownOnly() {
        for (int low = 0; low < LAYERS.size(); low++) {
            for (int high = low + 1; high < LAYERS.size(); high++) {
                noArrow(LAYERS.get(low), LAYERS.get(high)).check(CORE);
            }
        }
    }

    @Test
    void everyPackageHasALayer() {
        var known = new TreeSet<String>();
        LAYERS.forEach(known::addAll);
        var unknown = new TreeSet<String>();
        for (var type : CORE) {
            if (!known.contains(type.getPackageName())) {
                unknown.add(type.getPackageName());
            }
        }
        assertEquals(Set.of(), unknown, "say in LAYERS which packages these may use");
    }

    @Test
    void arrowsAreSeen() {
        assertTrue(noArrow(LAYERS.get(2), LAYERS.get(1)).evaluate(CORE).hasViolation());
    }

    @Test
    void restrictedMethodsAreCalledInNativeOnly() {
        var rule = noRestrictedCalls();
        rule.check(CORE);

        assertTrue(rule.evaluate(new ClassFileImporter().importClasses(Libc.class)).hasViolation());
    }

    @Test
    void linkingIsKnownToTheSystemCallsOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.heddle.sys")
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(Linker.class, SymbolLookup.class)
                .because("bindings live in dev.heddle.sys: take a Sys instead")
                .check(CORE);
    }

    @Test
    void onlyTheBindingsAndTheChoiceOfABackendAskForThePlatform() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.heddle.sys")
                .and()
                .doNotHaveFullyQualifiedName("dev.heddle.reactor.Backend")
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("dev.heddle.sys.Platform")
                .because("what differs between systems goes into a constant or call of a binding")
                .check(CORE);
    }

    @Test
    void logsGoThroughSystemLogger() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging..")
                .because("the core has no dependencies: use System.Logger")
                .check(CORE);
        noClasses()
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(Throwable.class, "printStackTrace")
                .because("a library does not print: use System.Logger, or return the text")
                .check(CORE);
    }

    @Test
    void reactorsTakeNoLocks() {
        noClasses()
                .that()
                .resideInAPackage("dev.heddle.reactor")
                .should()
                .dependOnClassesThat(are(locks()))
                .because("a loop thread never waits for a lock: use one atomic word, like Bell")
                .check(CORE);
        noMethods()
                .that()
                .areDeclaredInClassesThat()
                .resideInAPackage("dev.heddle.reactor")
                .should()
                .haveModifier(JavaModifier.SYNCHRONIZED)
                .because("a loop thread never waits for a lock: use one atomic word, like Bell")
                .check(CORE);
    }

    @Test
    void classesAreFinalUnlessMadeToBeExtended() {
        classes()
                .that(are(ordinary()))
                .should()
                .haveModifier(JavaModifier.FINAL)
                .because("add `final`, or `sealed` with its permits, or `abstract`")
                .check(CORE);
    }

    @Test
    void namesSayWhatAThingIs() {
        noClasses()
                .should()
                .haveSimpleNameEndingWith("Impl")
                .orShould()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .orShould()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .orShould()
                .haveSimpleNameStartingWith("Abstract")
                .because("use a noun for what it is: Loop, Waker, EpollReactor")
                .check(CORE);
    }

    @Test
    void everyPackageIsNullMarked() {
        var unmarked = new TreeSet<String>();
        for (var type : CORE) {
            if (!type.getPackage().isAnnotatedWith("org.jspecify.annotations.NullMarked")) {
                unmarked.add(type.getPackageName());
            }
        }
        assertEquals(Set.of(), unmarked, "give these a package-info.java with @NullMarked");
    }

    private static ArchRule noArrow(List<String> low, List<String> high) {
        return noClasses()
                .that()
                .resideInAnyPackage(low.toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(high.toArray(String[]::new))
                .allowEmptyShould(true)
                .because("arrows point down: let the lower one define the interface it needs");
    }

    private static ArchRule noRestrictedCalls() {
        return noClasses()
                .that()
                .doNotHaveFullyQualifiedName(NATIVE)
                .should()
                .callMethodWhere(
                        calls(Linker.class, "nativeLinker|downcallHandle|upcallStub")
                                .or(calls(SymbolLookup.class, "libraryLookup|loaderLookup"))
                                .or(calls(MemorySegment.class, "reinterpret|ofAddress"))
                                .or(calls(Arena.class, "global"))
                                .or(calls(System.class, "load|loadLibrary"))
                                .or(calls(Runtime.class, "load|loadLibrary")))
                .because("restricted calls are made in one place: add a method to Native");
    }

    private static DescribedPredicate<JavaCall<?>> calls(Class<?> type, String names) {
        return target(nameMatching(names)).and(target(owner(assignable(type)))).forSubtype();
    }

    private static DescribedPredicate<JavaClass> assignable(Class<?> type) {
        return JavaClass.Predicates.assignableTo(type);
    }

    private static DescribedPredicate<JavaClass> locks() {
        return assignable(Lock.class)
                .or(assignable(ReadWriteLock.class))
                .or(assignable(StampedLock.class))
                .as("locks");
    }

    private static DescribedPredicate<JavaClass> ordinary() {
        return DescribedPredicate.describe(
                "ordinary classes",
                type ->
                        !type.isInterface()
                                && !type.isEnum()
                                && !type.isAnonymousClass()
                                && !type.getModifiers().contains(JavaModifier.ABSTRACT)
                                && !type.getSimpleName().equals("package-info")
                                && !type.reflect().isSealed());
    }

    private static Path place() {
        try {
            return Path.of(Sys.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException cause) {
            throw new AssertionError(cause);
        }
    }
}
