/// Heddle: plain, blocking-style Java on a native event loop.
module dev.heddle {
    // sun.misc.Signal: the JVM's own way to hear of signals (never an upcall in a handler).
    requires jdk.unsupported;
    requires static org.jspecify;

    exports dev.heddle;
    exports dev.heddle.event;
    exports dev.heddle.loop;
    exports dev.heddle.reactor;
}
