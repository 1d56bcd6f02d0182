package dev.agentpolicy.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitReferenceTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.properties.HasName;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** What an access reaches for: called, or only named as a method reference. */
final class Targets {
    /** Where the outside world leaks into code that reads as if it were pure. Null stands for every member. */
    private static final Map<String, Set<String>> CLOCKS_ENVIRONMENT_CHANCE = Map.ofEntries(
            Map.entry("java.lang.System", Set.of()),
            Map.entry("java.lang.Runtime", Set.of()),
            Map.entry("java.lang.ProcessHandle", Set.of()),
            Map.entry("java.lang.Math", Set.of("random")),
            Map.entry("java.lang.Thread", Set.of("sleep", "currentThread")),
            Map.entry("java.util.Random", Set.of()),
            Map.entry("java.util.SplittableRandom", Set.of()),
            Map.entry("java.util.concurrent.ThreadLocalRandom", Set.of()),
            Map.entry("java.security.SecureRandom", Set.of()),
            Map.entry("java.util.UUID", Set.of("randomUUID")),
            Map.entry("java.util.Collections", Set.of("shuffle")),
            Map.entry("java.util.Date", Set.of()),
            Map.entry("java.util.TimeZone", Set.of()),
            Map.entry("java.util.Locale", Set.of("getDefault")),
            Map.entry("java.nio.charset.Charset", Set.of("defaultCharset")),
            Map.entry("java.time.Clock", Set.of("systemUTC", "systemDefaultZone", "system")),
            Map.entry("java.time.InstantSource", Set.of("system")),
            Map.entry("java.time.ZoneId", Set.of("systemDefault")),
            Map.entry("java.time.Instant", Set.of("now")),
            Map.entry("java.time.LocalDate", Set.of("now")),
            Map.entry("java.time.LocalTime", Set.of("now")),
            Map.entry("java.time.LocalDateTime", Set.of("now")),
            Map.entry("java.time.OffsetDateTime", Set.of("now")),
            Map.entry("java.time.ZonedDateTime", Set.of("now")),
            Map.entry("java.time.Year", Set.of("now")));

    private static final Set<String> FUTURES =
            Set.of("java.util.concurrent.CompletableFuture", "java.util.concurrent.CompletionStage");

    private static final Set<String> GOING_ON = Set.of(
            "exceptionally",
            "exceptionallyAsync",
            "exceptionallyCompose",
            "exceptionallyComposeAsync",
            "handle",
            "handleAsync");

    /** Classes that go on after the failure of a future, and what they do with it. */
    private static final Map<String, String> LOOKING_AT_FAILURES = Map.of(
            ".adapter.http.wire.Reply", "answers with it",
            ".domain.usecase.agent.AdmitCall", "admits the call uncounted, and counts that");

    private Targets() {}

    static DescribedPredicate<JavaAccess<?>> goesOnAfterAFailure() {
        return DescribedPredicate.describe(
                "goes on after the failure of a future",
                access -> FUTURES.contains(access.getTargetOwner().getName())
                        && GOING_ON.contains(access.getTarget().getName()));
    }

    static DescribedPredicate<JavaClass> looksAtFailures(Layout house) {
        return DescribedPredicate.describe(
                "look at the failure " + LOOKING_AT_FAILURES,
                type -> LOOKING_AT_FAILURES.containsKey(
                        type.getName().replaceFirst("\\$.*", "").replaceFirst("^" + Pattern.quote(house.root()), "")));
    }

    static DescribedPredicate<JavaAccess<?>> clocksEnvironmentOrChance() {
        return DescribedPredicate.describe("is a clock, the environment or chance", access -> {
            Set<String> members =
                    CLOCKS_ENVIRONMENT_CHANCE.get(access.getTargetOwner().getName());
            return members != null
                    && (members.isEmpty() || members.contains(access.getTarget().getName()));
        });
    }

    static DescribedPredicate<JavaAccess<?>> constructorOfAUseCaseIn(String room) {
        return DescribedPredicate.describe(
                "is the constructor of a use case",
                access -> isUseCase(access.getTargetOwner(), room) && isConstructor(access));
    }

    /** A concrete public class of the room that only another room may construct. */
    private static boolean isUseCase(JavaClass type, String room) {
        return (type.getPackageName() + ".").startsWith(room + ".")
                && type.isTopLevelClass()
                && !type.isRecord()
                && !type.isEnum()
                && !type.isInterface()
                && type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getConstructors().stream()
                        .anyMatch(made -> made.getModifiers().contains(JavaModifier.PUBLIC));
    }

    private static boolean isConstructor(JavaAccess<?> access) {
        HasName target = access.getTarget();
        boolean reachesCode = target instanceof CodeUnitCallTarget || target instanceof CodeUnitReferenceTarget;
        return reachesCode && target.getName().equals(JavaConstructor.CONSTRUCTOR_NAME);
    }
}
