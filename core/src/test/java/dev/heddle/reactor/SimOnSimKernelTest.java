package dev.heddle.reactor;

final class SimOnSimKernelTest extends SimKernelContract {
    @Override
    Backend kind() {
        return Backend.SIM;
    }
}
