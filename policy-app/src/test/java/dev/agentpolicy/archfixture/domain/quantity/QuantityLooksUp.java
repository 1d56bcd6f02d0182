package dev.agentpolicy.archfixture.domain.quantity;

import dev.agentpolicy.archfixture.domain.rule.RuleLooksUp;

/** Breaks a rule on purpose: looks into the room above. */
public final class QuantityLooksUp {
    private final Class<?> above = RuleLooksUp.class;
}
