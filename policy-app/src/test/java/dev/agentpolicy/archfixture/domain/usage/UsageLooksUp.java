package dev.agentpolicy.archfixture.domain.usage;

import dev.agentpolicy.archfixture.domain.account.AccountLooksUp;

/** Breaks a rule on purpose: looks into the room above. */
public final class UsageLooksUp {
    private final Class<?> above = AccountLooksUp.class;
}
