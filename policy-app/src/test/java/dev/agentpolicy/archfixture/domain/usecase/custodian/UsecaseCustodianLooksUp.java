package dev.agentpolicy.archfixture.domain.usecase.custodian;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class UsecaseCustodianLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
