package dev.agentpolicy.archfixture.domain.usecase.policy;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class UsecasePolicyLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
