package dev.heddle.test;

import dev.heddle.reactor.Backend;

import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Runs the method as the main coroutine of a loop of its own, and fails it if it leaves anything
/// behind.
///
/// ```java
/// @HeddleTest
/// void anHourPassesInNoTime(TestWorld world) {
///     delay(Duration.ofHours(1));
///     assertEquals(Duration.ofHours(1), world.elapsed());
/// }
///
/// @HeddleTest(seeds = 500)
/// void holdsInWhateverOrder() { … }
/// ```
///
/// Each seed is a test of its own, with a new instance and its own `@BeforeEach`, which runs
/// outside of the loop. After the first seed that fails no more are tried, and the failure says
/// which line replays it. With the system property `heddle.seed` seeds count from there.
///
/// A method may take a [TestWorld]. JUnit's `@Timeout` works, and so does [#limitSeconds].
@TestTemplate
@ExtendWith(HeddleTestExtension.class)
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface HeddleTest {
    /// {@return whether waiting moves the clock; otherwise the test runs in real time, on the
    /// machine's own loop}
    boolean virtualTime() default true;

    /// {@return how many seeds to try}
    int seeds() default 1;

    /// {@return exactly these seeds instead: to replay one}
    long[] seed() default {};

    /// {@return in which order coroutines run}
    Schedule schedule() default Schedule.AUTO;

    /// {@return on which backends, each in turn; otherwise on the usual one. In virtual time those
    /// that the simulated kernel can play}
    Backend[] backends() default {};

    /// {@return which system calls fail}
    Fault[] faults() default {};

    /// {@return the real time after which a test counts as hanging, and the stacks of its
    /// coroutines are shown}
    int limitSeconds() default 60;

    /// {@return whether to look for what is left at the end}
    boolean checkLeaks() default true;
}
