package dev.agentpolicy.archfixture.domain.request;

import dev.agentpolicy.archfixture.domain.event.EventLooksUp;

/** Breaks a rule on purpose: looks into the room above. */
public final class RequestLooksUp {
    private final Class<?> above = EventLooksUp.class;
}
