package dev.agentpolicy.archfixture.domain.ips;

import dev.agentpolicy.archfixture.domain.portfolio.PortfolioLooksUp;

/** Breaks a rule on purpose: looks into the room above. */
public final class IpsLooksUp {
    private final Class<?> above = PortfolioLooksUp.class;
}
