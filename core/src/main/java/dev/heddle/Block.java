package dev.heddle;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/// What makes a scope a block: the coroutine that is in it. The block belongs to that coroutine and
/// shares its fate, with all that was spawned in it, begun or not.
///
/// **Thread:** loop.
final class Block {
    final Coroutine<?> host;

    /// Whether a shield lies around it, inside the block or the coroutine that it is in: what
    /// cancels those from outside does not reach it.
    final boolean shielded;

    /// The innermost frame around it.
    final @Nullable Frame around;

    // While the body runs.
    private @Nullable Frame frame;
    private boolean over;
    private @Nullable ScopeNode daemons;
    private @Nullable Consumer<? super Coroutine<?>> onGivenUp;

    Block(Coroutine<?> host) {
        this.host = host;
        around = host.frame();
        Block around = host.scopeNow.block;
        Frame end = around != null && around.host == host ? around.frame : null;
        shielded = Frame.isShieldBefore(host, end);
    }

    /// The body begins, in this frame.
    void begins(Frame body) {
        frame = body;
    }

    /// The body has ended, and the block waits for what it spawned.
    void bodyEnded() {
        frame = null;
    }

    /// Cancels what the host does inside it.
    void cancelBody(String reason) {
        if (frame != null) {
            frame.cancel(reason);
        }
    }

    /// Everything has ended that it waits for.
    void ends() {
        over = true;
    }

    /// {@return whether it is under way: whoever fails in it fails the block}
    boolean isUnderWay() {
        return !over;
    }

    /// Calls `handler` when a child ignores its cancellation for so long that the block does not
    /// wait for it.
    void onGivenUp(Consumer<? super Coroutine<?>> handler) {
        onGivenUp = handler;
    }

    void gaveUp(Coroutine<?> child) {
        if (onGivenUp != null) {
            onGivenUp.accept(child);
        }
    }

    /// {@return the scope below it for coroutines that are cancelled when all others have ended}
    ///
    /// @param node the scope of this block
    ScopeNode daemons(ScopeNode node) {
        if (daemons == null) {
            daemons = ScopeNode.explicit(node, false);
        }
        return daemons;
    }

    @Nullable ScopeNode daemonsOrNull() {
        return daemons;
    }

    boolean hasDaemons() {
        return daemons != null && !daemons.isIdle();
    }

    void endDaemons() {
        if (daemons != null) {
            daemons.dispose("the others in its block have ended");
        }
    }
}
