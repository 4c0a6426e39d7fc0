package dev.heddle.cli;

import dev.heddle.loop.Loop;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Which JDK this is, and whether it was started with what Heddle needs.
///
/// **Thread:** immutable.
final class JavaCheck {
    private static final String SECTION = "Java";
    private static final Runtime.Version OLDEST = Runtime.Version.parse("25.0.3");

    private JavaCheck() {}

    static List<Finding> findings() {
        var findings = new ArrayList<Finding>();
        findings.add(build(Runtime.version(), System.getenv()));
        findings.add(compiler());
        findings.add(nativeAccess(Loop.class.getModule().isNativeAccessEnabled()));
        findings.add(opens(Object.class.getModule().isOpen("java.lang", Loop.class.getModule())));
        return findings;
    }

    static Finding build(Runtime.Version version, Map<String, String> environment) {
        String text =
                version
                        + ", "
                        + System.getProperty("java.vendor")
                        + ", "
                        + System.getProperty("java.home");
        if (version.compareToIgnoreOptional(OLDEST) >= 0) {
            return Finding.ok(SECTION, "JDK", text);
        }
        String why = text + ": can lose a wake-up of a virtual thread (JDK-8369227)";
        String fix = "install JDK " + OLDEST + " or newer (https://adoptium.net)";
        return environment.getOrDefault("HEDDLE_ALLOW_OLD_JDK", "").equals("1")
                ? Finding.note(SECTION, "JDK", why, fix)
                : Finding.problem(SECTION, "JDK", why, fix);
    }

    static Finding nativeAccess(boolean enabled) {
        return enabled
                ? Finding.ok(SECTION, "native access", "enabled")
                : Finding.note(
                        SECTION,
                        "native access",
                        "not enabled: the JVM warns, and a later one will refuse",
                        "java --enable-native-access=ALL-UNNAMED ...");
    }

    static Finding opens(boolean open) {
        return open
                ? Finding.ok(SECTION, "java.lang", "open, as coroutines need it")
                : Finding.note(
                        SECTION,
                        "java.lang",
                        "not open: coroutines will not start",
                        "java --add-opens java.base/java.lang=ALL-UNNAMED ...");
    }

    static boolean hasCompiler() {
        return ModuleLayer.boot().findModule("jdk.compiler").isPresent();
    }

    private static Finding compiler() {
        return hasCompiler()
                ? Finding.ok(SECTION, "compiler", "in the JDK")
                : Finding.problem(
                        SECTION,
                        "compiler",
                        "missing: this is only a runtime",
                        "set HEDDLE_JAVA_HOME to a whole JDK");
    }
}
