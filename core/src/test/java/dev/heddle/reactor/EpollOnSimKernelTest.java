package dev.heddle.reactor;

final class EpollOnSimKernelTest extends SimKernelContract {
    @Override
    Backend kind() {
        return Backend.EPOLL;
    }
}
