/// Heddle: plain, blocking-style Java on a native event loop.
@SuppressWarnings("module") // the test kit is compiled later, and need not be there
module dev.heddle {
    // sun.misc.Signal: the JVM's own way to hear of signals (never an upcall in a handler).
    requires jdk.unsupported;
    // For those who record: a run time without it works as well.
    requires static jdk.jfr;
    requires static org.jspecify;

    exports dev.heddle;
    exports dev.heddle.event;
    exports dev.heddle.loop;
    exports dev.heddle.reactor;
    exports dev.heddle.sys to
            dev.heddle.test;
}
