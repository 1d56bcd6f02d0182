package dev.agentpolicy.archfixture.domain.decision;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class DecisionLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
