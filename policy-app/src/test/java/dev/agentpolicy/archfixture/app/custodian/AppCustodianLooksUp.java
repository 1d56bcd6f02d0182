package dev.agentpolicy.archfixture.app.custodian;

import dev.agentpolicy.archfixture.app.TopOfTheApplication;

/** Breaks a rule on purpose: looks into a room above. */
public final class AppCustodianLooksUp {
    private final Class<?> above = TopOfTheApplication.class;
}
