package dev.agentpolicy.archfixture.domain.trade;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class TradeLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
