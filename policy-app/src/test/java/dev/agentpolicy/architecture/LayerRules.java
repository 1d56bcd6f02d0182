package dev.agentpolicy.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static dev.agentpolicy.architecture.Layout.under;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.stream.Stream;

/** Dependencies point inwards, and only the application depends on all modules. */
final class LayerRules {
    private final Layout house;

    LayerRules(Layout house) {
        this.house = house;
    }

    ArchRule everyClassHasItsLayer() {
        return classes()
                .should()
                .resideInAnyPackage(
                        under(house.domain()),
                        under(house.http()),
                        under(house.jdbc()),
                        under(house.signing()),
                        under(house.custodian()),
                        under(house.files()),
                        under(house.app()));
    }

    ArchRule domainKnowsNobody() {
        return noClasses()
                .that()
                .resideInAPackage(under(house.domain()))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(under(house.root() + ".adapter"), under(house.app()));
    }

    ArchRule adapterKnowsTheDomainOnly(String adapter) {
        String[] others = Stream.concat(
                        house.adapters().stream().filter(other -> !other.equals(adapter)), Stream.of(house.app()))
                .map(Layout::under)
                .toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAPackage(under(adapter))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others);
    }

    /** All adapters use it, so it may use none of them. */
    ArchRule filesKnowNobody() {
        return noClasses()
                .that()
                .resideInAPackage(under(house.files()))
                .should()
                .dependOnClassesThat(resideInAPackage(under(house.root()))
                        .and(DescribedPredicate.not(resideInAPackage(under(house.files())))));
    }

    /** The interfaces only: the values that ports speak of, and the word that one is away, reach the front door too. */
    ArchRule theFrontDoorSpeaksToUseCases() {
        return noClasses()
                .that()
                .resideInAPackage(under(house.http()))
                .should()
                .dependOnClassesThat(resideInAPackage(under(house.room("port"))).and(JavaClass.Predicates.INTERFACES));
    }

    static ArchRule roomLooksDownwardsOnly(Layout.Room room) {
        return noClasses()
                .that()
                .resideInAPackage(room.name())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(room.above().toArray(String[]::new));
    }

    ArchRule packagesAreFreeOfCycles() {
        return slices().matching(house.root() + ".(**)").should().beFreeOfCycles();
    }

    ArchRule useCasesAreConstructedInTheApplication() {
        return noClasses()
                .that()
                .resideOutsideOfPackage(under(house.app()))
                .should()
                .accessTargetWhere(Targets.constructorOfAUseCaseIn(house.room("usecase")));
    }

    /**
     * Within a room of use cases, where the order of rooms says nothing. Not in the agents' room, where a caller carries the
     * use cases it was admitted to.
     */
    ArchRule filesOfUseCasesAreFreeOfCircles() {
        return slices().assignedFrom(files(house.room("usecase"))).should().beFreeOfCycles();
    }

    private static SliceAssignment files(String room) {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                String file = type.getName().replaceFirst("\\$.*", "");
                return file.startsWith(room + ".") && !file.startsWith(room + ".agent.")
                        ? SliceIdentifier.of(file)
                        : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "files of use cases";
            }
        };
    }

    /** A future that goes on after a failure must look at it; the classes that do are listed with their reason. */
    ArchRule failuresOfFuturesAreNotDropped() {
        return noClasses()
                .that(DescribedPredicate.not(Targets.looksAtFailures(house)))
                .should()
                .accessTargetWhere(Targets.goesOnAfterAFailure());
    }
}
