package dev.agentpolicy.archfixture.domain.rule;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class RuleLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
