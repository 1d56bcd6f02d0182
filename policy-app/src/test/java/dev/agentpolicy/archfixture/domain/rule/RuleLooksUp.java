package dev.agentpolicy.archfixture.domain.rule;

import dev.agentpolicy.archfixture.domain.trade.TradeLooksUp;

/** Breaks a rule on purpose: looks into the room above. */
public final class RuleLooksUp {
    private final Class<?> above = TradeLooksUp.class;
}
