package dev.agentpolicy.archfixture.domain.portfolio;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class PortfolioLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
