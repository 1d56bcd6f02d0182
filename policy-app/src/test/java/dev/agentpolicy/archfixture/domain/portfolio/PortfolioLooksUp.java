package dev.agentpolicy.archfixture.domain.portfolio;

import dev.agentpolicy.archfixture.domain.agent.AgentLooksUp;

/** Breaks a rule on purpose: looks into the room above. */
public final class PortfolioLooksUp {
    private final Class<?> above = AgentLooksUp.class;
}
