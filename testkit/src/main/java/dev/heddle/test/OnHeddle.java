package dev.heddle.test;

import org.junit.jupiter.api.extension.ExtendWith;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// Runs tests of any kind (`@Test`, `@ParameterizedTest`, `@RepeatedTest`) as [HeddleTest] runs its
/// own: as the main coroutine of a loop. On a method, or on a class for all of its tests.
///
/// ```java
/// @OnHeddle
/// @ParameterizedTest
/// @ValueSource(ints = {1, 10, 100})
/// void waitsAsLongAsItIsTold(int seconds, TestWorld world) { … }
/// ```
@ExtendWith(OnHeddleExtension.class)
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface OnHeddle {
    /// {@return whether waiting moves the clock}
    boolean virtualTime() default true;

    /// {@return what chance is drawn from}
    long seed() default 0;

    /// {@return in which order coroutines run}
    Schedule schedule() default Schedule.FIFO;

    /// {@return the real time after which a test counts as hanging}
    int limitSeconds() default 60;

    /// {@return whether to look for what is left at the end}
    boolean checkLeaks() default true;
}
