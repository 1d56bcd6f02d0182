package dev.agentpolicy.archfixture.domain.event.canonical;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class EventCanonicalLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
