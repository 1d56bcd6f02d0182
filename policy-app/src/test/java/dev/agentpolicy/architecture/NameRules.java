package dev.agentpolicy.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.lang.ArchRule;

/** A class is named after what it is, not after the drawer it lies in. */
final class NameRules {
    private static final String DRAWERS = ".*(Manager|Helper|Util|Utils|Impl)";

    private NameRules() {}

    static ArchRule noDrawers() {
        return noClasses().should().haveNameMatching(DRAWERS);
    }
}
