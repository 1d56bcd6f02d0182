package dev.agentpolicy.archfixture.domain.custodian;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class CustodianLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
