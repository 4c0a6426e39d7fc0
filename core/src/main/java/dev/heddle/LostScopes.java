package dev.heddle;

import dev.heddle.event.Loss;

/// Notices scopes whose handle was lost before it was closed: they are reported and then closed, as
/// their flag or `closeAfter` says.
///
/// **Thread:** any.
final class LostScopes {
    private LostScopes() {}

    static void watch(Scope handle, ScopeNode node) {
        Loss.watch(handle, () -> node.scheduler.onLoop(() -> lost(node)));
    }

    private static void lost(ScopeNode node) {
        if (!node.isClosed()) {
            node.scheduler.options.report(
                    Report.Kind.LOST_HANDLE,
                    node.info() + " was lost before it was closed: use try-with-resources");
            node.close("scope lost");
        }
    }
}
