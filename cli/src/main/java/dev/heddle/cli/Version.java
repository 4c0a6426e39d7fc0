package dev.heddle.cli;

import picocli.CommandLine.IVersionProvider;

import java.io.IOException;
import java.util.Properties;

/// What `--version` says.
///
/// **Thread:** immutable.
final class Version implements IVersionProvider {
    // Maven puts it into the jar.
    private static final String FILE = "/META-INF/maven/dev.heddle/heddle-cli/pom.properties";

    private Version() {}

    @Override
    public String[] getVersion() throws IOException {
        var jdk = System.getProperty("java.runtime.version");
        return new String[] {"heddle " + heddle() + " (JDK " + jdk + ")"};
    }

    static String heddle() throws IOException {
        try (var in = Version.class.getResourceAsStream(FILE)) {
            if (in == null) {
                return "of an unpacked build";
            }
            var properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        }
    }
}
