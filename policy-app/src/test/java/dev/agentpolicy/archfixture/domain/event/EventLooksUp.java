package dev.agentpolicy.archfixture.domain.event;

import dev.agentpolicy.archfixture.domain.usage.UsageLooksUp;

/** Breaks a rule on purpose: looks into the room above. */
public final class EventLooksUp {
    private final Class<?> above = UsageLooksUp.class;
}
