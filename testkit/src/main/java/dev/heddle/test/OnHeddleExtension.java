package dev.heddle.test;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/// What [OnHeddle] stands for.
///
/// **Thread:** any (JUnit's).
final class OnHeddleExtension extends WorldExtension {
    OnHeddleExtension() {}

    // A class may have both kinds of tests.
    @Override
    boolean runs(ExtensionContext context) {
        return !AnnotationSupport.isAnnotated(context.getElement(), HeddleTest.class);
    }

    @Override
    Settings settings(ExtensionContext context) {
        var how = annotation(context);
        var schedule = how.schedule() == Schedule.AUTO ? Schedule.RANDOM : how.schedule();
        return Settings.DEFAULT
                .withVirtualTime(how.virtualTime())
                .withSeed(how.seed())
                .withSchedule(schedule)
                .withLimit(Checks.limit(how.limitSeconds()))
                .withChecks(how.checkLeaks());
    }

    @Override
    String replay(Settings settings) {
        return "@OnHeddle(seed = "
                + settings.seed()
                + "L, schedule = Schedule."
                + settings.schedule()
                + settings.inAnnotation()
                + ")";
    }

    private static OnHeddle annotation(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), OnHeddle.class)
                .or(
                        () ->
                                AnnotationSupport.findAnnotation(
                                        context.getRequiredTestClass(),
                                        OnHeddle.class,
                                        context.getEnclosingTestClasses()))
                .orElseThrow();
    }
}
