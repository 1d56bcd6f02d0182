package dev.agentpolicy.archfixture.domain.agent;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class AgentLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
