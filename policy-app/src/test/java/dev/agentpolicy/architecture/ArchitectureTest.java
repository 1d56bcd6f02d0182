package dev.agentpolicy.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.core.importer.Locations;
import dev.agentpolicy.architecture.HouseRules.HouseRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds the service to the rules of docs/ARCHITECTURE.md, and the rules to classes that break them. */
class ArchitectureTest {
    private static final JavaClasses OURS = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages(Layout.OURS.root());
    private static JavaClasses seeded;

    @BeforeAll
    static void seed(@TempDir Path folder) throws IOException {
        SeededRooms.compile(folder);
        Set<Location> seeds = new HashSet<>(Locations.ofPackage(Layout.SEEDED.root()));
        seeds.add(Location.of(folder));
        seeded = new ClassFileImporter().importLocations(seeds);
    }

    static Stream<HouseRule> rules() {
        return HouseRules.of(Layout.OURS).stream();
    }

    static Stream<HouseRule> rules_of_the_seeded_house() {
        return HouseRules.of(Layout.SEEDED).stream();
    }

    static Stream<String> packages() {
        return Layout.OURS.packages();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void every_rule_holds(HouseRule rule) {
        rule.rule().check(OURS);
    }

    @ParameterizedTest
    @MethodSource("rules_of_the_seeded_house")
    void every_rule_catches_a_class_that_breaks_it(HouseRule rule) {
        assertThat(seeded)
                .describedAs("the seeded class exists")
                .anyMatch(type -> type.getSimpleName().equals(rule.seeded()));
        assertThat(rule.rule().evaluate(seeded).getFailureReport().getDetails())
                .anySatisfy(detail -> assertThat(detail).contains("." + rule.seeded()));
    }

    @ParameterizedTest
    @MethodSource("packages")
    void every_package_that_a_rule_names_holds_a_class(String name) {
        assertThat(packagesWithClasses()).contains(name);
    }

    @Test
    void every_package_has_its_place_in_the_order_of_its_module() {
        assertThat(packagesWithClasses()).isSubsetOf(Layout.OURS.packages().toList());
    }

    @Test
    void every_library_that_a_rule_names_is_there() throws ClassNotFoundException {
        for (Map<String, String> libraries : List.of(
                Libraries.WEB,
                Libraries.JSON,
                Libraries.DATABASE,
                Libraries.SIGNING,
                Libraries.PASSKEYS,
                Libraries.APPLICATION)) {
            for (Map.Entry<String, String> library : libraries.entrySet()) {
                Class<?> example =
                        Class.forName(library.getValue(), false, getClass().getClassLoader());
                assertThat(example.getName()).startsWith(library.getKey() + ".");
            }
        }
    }

    @Test
    void all_fourteen_rules_are_held() {
        assertThat(rules().map(HouseRule::number).distinct().sorted())
                .isEqualTo(IntStream.rangeClosed(1, 14).boxed().toList());
    }

    private static Stream<String> packagesWithClasses() {
        return OURS.stream()
                .filter(type -> !type.getSimpleName().equals("package-info"))
                .map(JavaClass::getPackageName)
                .distinct();
    }
}
