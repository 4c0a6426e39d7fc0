package dev.heddle.reactor;

/// The descriptors that a [SimReactor] watches: its own, which are scripts and nothing else, or
/// those of a simulated kernel, which several reactors share.
///
/// **Thread:** any, as far as the implementation allows it; a [SimReactor] calls from its owner's.
public interface SimDescriptors {
    /// Who wants to know what happens at a descriptor.
    ///
    /// **Thread:** any.
    interface Watcher {
        /// Something happened: these bits of [Interest] are news, if they still hold when somebody
        /// looks.
        void edges(int bits);

        /// The descriptor is closed. Nothing more is told of it.
        void closed();
    }

    /// {@return a new descriptor with nothing ready}
    int open();

    /// {@return a new descriptor that, like a regular file, has no readiness to wait for}
    int openFile();

    void close(int fd);

    /// These bits hold from now on, and each is an edge.
    void ready(int fd, int bits);

    /// These bits hold no longer.
    void clear(int fd, int bits);

    /// {@return the bits of [Interest] that hold now; or `-EBADF` for a descriptor that is not
    /// open, `-EPERM` for one without readiness}
    int readiness(int fd);

    /// Begins to tell of a descriptor that is open and has readiness.
    void watch(int fd, Watcher watcher);

    /// Stops telling. Nothing happens if the descriptor was closed meanwhile.
    void unwatch(int fd, Watcher watcher);

    /// {@return which of several descriptors that wait to be looked at comes first}
    ///
    /// @param waiting how many there are, at least 2
    default int pick(int waiting) {
        return 0;
    }
}
