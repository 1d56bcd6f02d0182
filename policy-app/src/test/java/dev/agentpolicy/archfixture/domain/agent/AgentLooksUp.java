package dev.agentpolicy.archfixture.domain.agent;

import dev.agentpolicy.archfixture.domain.decision.DecisionLooksUp;

/** Breaks a rule on purpose: looks into the room above. */
public final class AgentLooksUp {
    private final Class<?> above = DecisionLooksUp.class;
}
