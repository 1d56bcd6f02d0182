package dev.agentpolicy.archfixture.domain.trade;

import dev.agentpolicy.archfixture.domain.ips.IpsLooksUp;

/** Breaks a rule on purpose: looks into the room above. */
public final class TradeLooksUp {
    private final Class<?> above = IpsLooksUp.class;
}
