/// The test kit of Heddle: virtual time, seeded schedules, a simulated kernel, leak checks.
module dev.heddle.test {
    requires transitive dev.heddle;
    requires transitive org.junit.jupiter.api;
    requires static org.jspecify;

    exports dev.heddle.test;
    exports dev.heddle.test.kernel;

    // JUnit makes the extension, which nobody else needs to see.
    opens dev.heddle.test to
            org.junit.platform.commons;
}
