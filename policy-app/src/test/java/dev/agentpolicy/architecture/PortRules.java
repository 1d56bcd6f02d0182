package dev.agentpolicy.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;

/** Ports have real implementations, which are not public. */
final class PortRules {
    private final Layout house;

    PortRules(Layout house) {
        this.house = house;
    }

    ArchRule everyPortHasAnImplementation() {
        return classes()
                .that()
                .resideInAPackage(Layout.under(house.room("port")))
                .and()
                .areInterfaces()
                .and()
                .doNotHaveSimpleName("package-info")
                .should(beImplementedOutside(house.domain()));
    }

    ArchRule databasePortsAreSeenAsPorts() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(Layout.under(house.jdbc()))
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage(Layout.under(house.jdbc()))
                        .and(DescribedPredicate.describe("implement a port", this::implementsAPort)));
    }

    private boolean implementsAPort(JavaClass type) {
        return type.getAllRawInterfaces().stream()
                .anyMatch(each -> each.getPackageName().equals(house.room("port"))
                        || each.getPackageName().startsWith(house.room("port") + "."));
    }

    private static ArchCondition<JavaClass> beImplementedOutside(String domain) {
        return new ArchCondition<>("be implemented outside the domain") {
            @Override
            public void check(JavaClass port, ConditionEvents events) {
                boolean isImplemented = port.getAllSubclasses().stream()
                        .anyMatch(type -> !type.getModifiers().contains(JavaModifier.ABSTRACT)
                                && !type.getPackageName().startsWith(domain));
                events.add(new SimpleConditionEvent(
                        port,
                        isImplemented,
                        port.getName() + " has " + (isImplemented ? "an" : "no") + " implementation"));
            }
        };
    }
}
