package dev.agentpolicy.archfixture.domain.account;

import dev.agentpolicy.archfixture.domain.port.PortLooksUp;

/** Breaks a rule on purpose: looks into the room above. */
public final class AccountLooksUp {
    private final Class<?> above = PortLooksUp.class;
}
