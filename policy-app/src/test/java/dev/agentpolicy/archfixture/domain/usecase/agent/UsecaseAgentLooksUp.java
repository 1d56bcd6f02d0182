package dev.agentpolicy.archfixture.domain.usecase.agent;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class UsecaseAgentLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
