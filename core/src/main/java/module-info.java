/// Heddle: plain, blocking-style Java on a native event loop.
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
}
