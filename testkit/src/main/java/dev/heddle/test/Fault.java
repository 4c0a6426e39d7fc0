package dev.heddle.test;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// A system call that is to fail in a test: the nth of its kind, or by chance.
///
/// ```java
/// @HeddleTest(backends = Backend.EPOLL, faults = @Fault(call = "epoll_ctl", errno = "ENOSPC", nth = 2))
/// @HeddleTest(seeds = 100, faults = @Fault(call = "epoll_pwait2", percent = 20))
/// ```
///
/// In virtual time the calls are those to the simulated kernel, by the backend's reactor and by
/// [TestWorld#pipe]; in real time those of the reactor.
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({})
public @interface Fault {
    /// {@return the call, as in the manual; nothing for any that is known for the error, but `read`
    /// and `write`}
    String call() default "";

    /// {@return the error, such as `EINTR`; nothing for any of those that the call is known for}
    String errno() default "";

    /// {@return which call fails, 1 being the first}
    int nth() default 0;

    /// {@return how likely each call fails}
    int percent() default 0;
}
