package dev.heddle.reactor;

final class PollOnSimKernelTest extends SimKernelContract {
    @Override
    Backend kind() {
        return Backend.POLL;
    }
}
