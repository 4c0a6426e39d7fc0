package dev.heddle.loop;

import java.util.Arrays;

/// The started hooks of one place, in order of start.
///
/// An array that is replaced on change, so that a hook may start and stop any hook while the list
/// is being run: the run goes on over the old array and skips those that were stopped.
///
/// **Thread:** loop.
final class HookList {
    private static final Hook[] NONE = {};

    private Hook[] hooks = NONE;

    boolean isEmpty() {
        return hooks.length == 0;
    }

    Hook[] all() {
        return hooks;
    }

    void add(Hook hook) {
        Hook[] more = Arrays.copyOf(hooks, hooks.length + 1);
        more[hooks.length] = hook;
        hooks = more;
    }

    void remove(Hook hook) {
        hooks = Arrays.stream(hooks).filter(each -> each != hook).toArray(Hook[]::new);
    }
}
