package dev.agentpolicy.archfixture.domain.quantity;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class QuantityLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
