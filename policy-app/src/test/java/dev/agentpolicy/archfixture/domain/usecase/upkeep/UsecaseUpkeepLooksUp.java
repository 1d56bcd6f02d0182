package dev.agentpolicy.archfixture.domain.usecase.upkeep;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class UsecaseUpkeepLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
