package dev.agentpolicy.archfixture.domain.usage;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class UsageLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
