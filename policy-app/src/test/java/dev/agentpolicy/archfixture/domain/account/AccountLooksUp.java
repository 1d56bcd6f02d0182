package dev.agentpolicy.archfixture.domain.account;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class AccountLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
