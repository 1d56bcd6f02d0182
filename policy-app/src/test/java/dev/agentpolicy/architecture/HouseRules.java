package dev.agentpolicy.architecture;

import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** All rules of the house, in the order of docs/ARCHITECTURE.md. */
final class HouseRules {
    private final List<HouseRule> rules = new ArrayList<>();

    private HouseRules() {}

    /**
     * A rule and who breaks it.
     *
     * @param number in docs/ARCHITECTURE.md
     * @param sentence what it says
     * @param rule which holds
     * @param seeded the small class that breaks it, by its simple name
     */
    record HouseRule(int number, String sentence, ArchRule rule, String seeded) {

        @Override
        public String toString() {
            return number + ". " + sentence;
        }
    }

    static List<HouseRule> of(Layout house) {
        HouseRules all = new HouseRules();
        all.ofTheDomain(new DomainRules(house));
        all.ofTheLayers(house, new LayerRules(house));
        all.ofTheRooms(house);
        all.ofTheLibraries(new LibraryRules(house));
        all.ofTheFrontDoor(new LayerRules(house));
        all.ofPurity(new DomainRules(house));
        all.ofThePorts(new PortRules(house));
        all.add(11, "no class is named after a drawer", NameRules.noDrawers(), "TradeHelper");
        all.add(
                12,
                "use cases are constructed in the application only",
                new LayerRules(house).useCasesAreConstructedInTheApplication(),
                "MakesAUseCase");
        all.add(
                13,
                "the files of a room of use cases are free of circles",
                new LayerRules(house).filesOfUseCasesAreFreeOfCircles(),
                "AsksBack");
        all.add(
                14,
                "no failure of a future is dropped",
                new LayerRules(house).failuresOfFuturesAreNotDropped(),
                "DropsAFailure");
        return List.copyOf(all.rules);
    }

    private void ofTheDomain(DomainRules domain) {
        add(1, "the domain uses the JDK only", domain.domainUsesTheJdkOnly(), "ReadsAFile");
        add(1, "digests stay where hashes are made", domain.digestsStayWhereHashesAreMade(), "HashesATrade");
    }

    private void ofTheLayers(Layout house, LayerRules layers) {
        add(2, "every class has its layer", layers.everyClassHasItsLayer(), "LivesOutside");
        add(2, "the domain knows nobody", layers.domainKnowsNobody(), "AsksTheDatabase");
        for (String adapter : house.adapters()) {
            String name = adapter.substring(adapter.lastIndexOf('.') + 1);
            String seeded = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1) + "AsksAround";
            add(2, "adapter." + name + " knows the domain only", layers.adapterKnowsTheDomainOnly(adapter), seeded);
        }
        add(2, "adapter.files knows nobody", layers.filesKnowNobody(), "FilesAskAround");
        add(4, "packages are free of cycles", layers.packagesAreFreeOfCycles(), "AsksTheDatabase");
    }

    private void ofTheRooms(Layout house) {
        for (Layout.Room room : house.rooms()) {
            String name = room.name().substring(house.root().length() + 1);
            add(
                    3,
                    "the room " + name + " looks downwards only",
                    LayerRules.roomLooksDownwardsOnly(room),
                    SeededRooms.lookingUp(house, room));
        }
    }

    private void ofTheLibraries(LibraryRules libraries) {
        add(5, "web libraries stay in http", libraries.webLibrariesStayInHttp(), "ServesPages");
        add(5, "JSON stays in http and custodian", libraries.jsonStaysWithTheHttpAdapters(), "SpeaksJson");
        add(5, "database libraries stay in jdbc", libraries.databaseLibrariesStayInJdbc(), "SpeaksSql");
        add(5, "signing libraries stay in signing", libraries.signingLibrariesStayInSigning(), "SignsItself");
        add(5, "passkey libraries stay in app.passkey", libraries.passkeyLibrariesStayInPasskey(), "ReadsPasskeys");
        add(5, "application libraries stay in app", libraries.applicationLibrariesStayInApp(), "ReadsArguments");
    }

    private void ofTheFrontDoor(LayerRules layers) {
        add(6, "the front door speaks to use cases", layers.theFrontDoorSpeaksToUseCases(), "SkipsTheUseCase");
    }

    private void ofPurity(DomainRules domain) {
        add(7, "the domain reads no clock", domain.domainReadsNoClocksEnvironmentOrChance(), "ReadsTheClock");
        add(7, "nor names one", domain.domainReadsNoClocksEnvironmentOrChance(), "NamesTheClock");
        add(7, "nor the environment", domain.domainReadsNoClocksEnvironmentOrChance(), "ReadsTheEnvironment");
        add(7, "nor chance", domain.domainReadsNoClocksEnvironmentOrChance(), "RollsDice");
        add(8, "fields of the domain are final", domain.fieldsAreFinal(), "ChangesItself");
        add(8, "the domain holds no binary fraction", domain.noBinaryFractions(), "HoldsADouble");
        add(8, "nor passes one through", domain.noBinaryFractions(), "PassesADouble");
    }

    private void ofThePorts(PortRules ports) {
        add(9, "every port has an implementation", ports.everyPortHasAnImplementation(), "PortOfNobody");
        add(
                10,
                "ports of the database are seen as ports",
                ports.databasePortsAreSeenAsPorts(),
                "KnowsTheImplementation");
    }

    private void add(int number, String sentence, ArchRule rule, String seeded) {
        rules.add(new HouseRule(number, sentence, rule, seeded));
    }
}
