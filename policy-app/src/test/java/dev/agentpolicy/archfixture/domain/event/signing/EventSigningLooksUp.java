package dev.agentpolicy.archfixture.domain.event.signing;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class EventSigningLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
