package dev.agentpolicy.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.Set;

/** Every library has its home and is unknown elsewhere. */
final class LibraryRules {
    private final Layout house;

    LibraryRules(Layout house) {
        this.house = house;
    }

    ArchRule webLibrariesStayInHttp() {
        return only(house.http(), Libraries.WEB.keySet());
    }

    ArchRule jsonStaysWithTheHttpAdapters() {
        return only(List.of(house.http(), house.custodian()), Libraries.JSON.keySet());
    }

    ArchRule databaseLibrariesStayInJdbc() {
        return only(house.jdbc(), Libraries.DATABASE.keySet());
    }

    ArchRule signingLibrariesStayInSigning() {
        return only(house.signing(), Libraries.SIGNING.keySet());
    }

    ArchRule passkeyLibrariesStayInPasskey() {
        return only(house.app() + ".passkey", Libraries.PASSKEYS.keySet());
    }

    ArchRule applicationLibrariesStayInApp() {
        return only(house.app(), Libraries.APPLICATION.keySet());
    }

    private static ArchRule only(String home, Set<String> libraries) {
        return only(List.of(home), libraries);
    }

    private static ArchRule only(List<String> homes, Set<String> libraries) {
        return noClasses()
                .that()
                .resideOutsideOfPackages(homes.stream().map(Layout::under).toArray(String[]::new))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(libraries.stream().map(Layout::under).toArray(String[]::new));
    }
}
