package dev.agentpolicy.archfixture.domain.event.page;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class EventPageLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
