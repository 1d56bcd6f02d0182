package dev.agentpolicy.archfixture.domain.event.content;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class EventContentLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
