package dev.agentpolicy.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static dev.agentpolicy.architecture.Layout.under;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/** The domain is pure: the JDK's values, nothing read from outside, nothing that changes, no binary fractions. */
final class DomainRules {
    private static final Set<String> BUILDERS = Set.of(
            "DocumentParser",
            "Row",
            "Copy",
            "Recording",
            "Cut",
            "AssetNotes",
            "CapUsageReplay",
            "DraftReplay",
            "Counts",
            "FlowReplay",
            "PolicyInForce",
            "RequestReplay",
            "PasskeySignatures",
            "TileWriter",
            "PolicyLines",
            "Clock",
            "Tableau",
            "Work");

    private static final String[] THE_JDK = {
        "java.lang", "java.lang.annotation", "java.math", "java.time..", "java.util..", "java.nio.charset"
    };

    /** They take addresses apart, and connect nothing. */
    private static final Set<String> ADDRESSES =
            Set.of("java.net.URI", "java.net.URISyntaxException", "java.net.URLEncoder");

    private final Layout house;

    DomainRules(Layout house) {
        this.house = house;
    }

    ArchRule domainUsesTheJdkOnly() {
        return classes()
                .that()
                .resideInAPackage(under(house.domain()))
                .should()
                .onlyDependOnClassesThat(inAnyOf(THE_JDK)
                        .or(inAnyOf(under(house.domain()), "org.jspecify.annotations"))
                        .or(inAnyOf("java.security", "java.security.spec"))
                        .or(DescribedPredicate.describe("are addresses", it -> ADDRESSES.contains(it.getName()))));
    }

    /** Digests for hashes, signatures for the check that needs no library. */
    ArchRule digestsStayWhereHashesAreMade() {
        return noClasses()
                .that()
                .resideInAPackage(under(house.domain()))
                .and()
                .resideOutsideOfPackages(under(house.room("document")), under(house.domain() + ".event"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.security..");
    }

    ArchRule domainReadsNoClocksEnvironmentOrChance() {
        return noClasses()
                .that()
                .resideInAPackage(under(house.domain()))
                .should()
                .accessTargetWhere(Targets.clocksEnvironmentOrChance());
    }

    /** Parsers, builders and replays, which live in one call and are never published, may change their private fields. */
    ArchRule fieldsAreFinal() {
        DescribedPredicate<JavaClass> isInDomain = inAnyOf(under(house.domain()));
        return fields().that(DescribedPredicate.<JavaField>describe(
                        "are in the domain and not private to a builder",
                        field -> isInDomain.test(field.getOwner())
                                && !(field.getModifiers().contains(JavaModifier.PRIVATE)
                                        && BUILDERS.contains(field.getOwner().getSimpleName()))))
                .should()
                .beFinal();
    }

    ArchRule noBinaryFractions() {
        return classes().that().resideInAPackage(under(house.domain())).should(new HaveNoBinaryFractions());
    }

    private static DescribedPredicate<JavaClass> inAnyOf(String... packages) {
        return JavaClass.Predicates.resideInAnyPackage(packages);
    }
}
