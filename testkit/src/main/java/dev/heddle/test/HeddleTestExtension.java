package dev.heddle.test;

import dev.heddle.reactor.Backend;
import dev.heddle.sys.Sys;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.platform.commons.support.AnnotationSupport;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// What [HeddleTest] stands for: one invocation for each backend and seed.
///
/// **Thread:** any (JUnit's).
final class HeddleTestExtension implements TestTemplateInvocationContextProvider {
    /// The system property with the first seed.
    static final String SEED_PROPERTY = "heddle.seed";

    HeddleTestExtension() {}

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return context.getTestMethod().isPresent();
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
            ExtensionContext context) {
        var how = annotation(context);
        Checks.seeds(how);
        // One that fails is enough to look at.
        var failed = new AtomicBoolean();
        return backends(how)
                .flatMap(backend -> seeds(how).mapToObj(seed -> settings(how, backend, seed)))
                .takeWhile(_ -> !failed.get())
                .map(settings -> new Trial(settings, isOneOfMany(how), failed));
    }

    static HeddleTest annotation(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), HeddleTest.class)
                .orElseThrow();
    }

    private static Stream<@Nullable Backend> backends(HeddleTest how) {
        return how.backends().length == 0
                ? Stream.of((Backend) null)
                : Arrays.stream(how.backends());
    }

    private static LongStream seeds(HeddleTest how) {
        if (how.seed().length > 0) {
            return LongStream.of(how.seed());
        }
        long first = firstSeed();
        // The one after the highest is the lowest.
        return LongStream.range(0, how.seeds()).map(i -> first + i);
    }

    // Not Long.getLong, which takes a mistyped number for none.
    private static long firstSeed() {
        String text = System.getProperty(SEED_PROPERTY, "0");
        try {
            return Long.decode(text);
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException(
                    SEED_PROPERTY + " must be a number, but is " + text, wrong);
        }
    }

    private static boolean isSeeded(HeddleTest how) {
        return how.seeds() > 1 || how.seed().length > 0;
    }

    private static boolean isOneOfMany(HeddleTest how) {
        return isSeeded(how) || how.backends().length > 0;
    }

    private static Settings settings(HeddleTest how, @Nullable Backend backend, long seed) {
        var schedule =
                switch (how.schedule()) {
                    case AUTO -> isSeeded(how) ? Schedule.RANDOM : Schedule.FIFO;
                    case FIFO, RANDOM, PCT -> how.schedule();
                };
        return Settings.DEFAULT
                .withVirtualTime(how.virtualTime())
                .withSeed(seed)
                .withSchedule(schedule)
                .withBackend(backend)
                .withFaults(Arrays.stream(how.faults()).map(FaultPlan::of).toList())
                .withLimit(Checks.limit(how.limitSeconds()))
                .withChecks(how.checkLeaks());
    }

    /// One invocation.
    private record Trial(Settings settings, boolean oneOfMany, AtomicBoolean failed)
            implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int index) {
            if (!oneOfMany) {
                return "in " + (settings.virtualTime() ? "virtual" : "real") + " time";
            }
            String seed = "seed " + settings.seed() + ", " + lower(settings.schedule());
            Backend backend = settings.backend();
            return backend == null ? seed : backend.label() + ", " + seed;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new OfTrial(this));
        }

        private static String lower(Schedule schedule) {
            return schedule.name().toLowerCase(Locale.ROOT);
        }
    }

    /// Runs one of them.
    private static final class OfTrial extends WorldExtension
            implements ExecutionCondition, TestWatcher {
        private final Trial trial;

        OfTrial(Trial trial) {
            this.trial = trial;
        }

        // A backend of another system is skipped, and the report says why.
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            Backend backend = trial.settings.backend();
            if (backend == null || trial.settings.virtualTime()) {
                return ConditionEvaluationResult.enabled("simulated, or the best there is");
            }
            try (var reactor = backend.reactor(Sys.NATIVE)) {
                return ConditionEvaluationResult.enabled("there is " + reactor.backend().label());
            } catch (IOException | RuntimeException refused) {
                return ConditionEvaluationResult.disabled(
                        "no " + backend.label() + " here: " + refused.getMessage());
            }
        }

        @Override
        Settings settings(ExtensionContext context) {
            return trial.settings;
        }

        @Override
        String replay(Settings settings) {
            var line = new StringBuilder("@HeddleTest(seed = ").append(settings.seed()).append('L');
            line.append(", schedule = Schedule.").append(settings.schedule());
            Backend backend = settings.backend();
            if (backend != null) {
                line.append(", backends = Backend.").append(backend);
            }
            if (!settings.faults().isEmpty()) {
                line.append(", faults = ").append(FaultPlan.inJava(settings.faults()));
            }
            return line.append(settings.inAnnotation()).append(')').toString();
        }

        // Also where the method never began: in what comes before it.
        @Override
        public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
            trial.failed.set(true);
        }
    }
}
