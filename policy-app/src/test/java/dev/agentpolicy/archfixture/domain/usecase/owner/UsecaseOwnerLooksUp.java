package dev.agentpolicy.archfixture.domain.usecase.owner;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class UsecaseOwnerLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
