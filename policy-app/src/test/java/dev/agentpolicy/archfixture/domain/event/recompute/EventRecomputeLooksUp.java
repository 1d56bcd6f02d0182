package dev.agentpolicy.archfixture.domain.event.recompute;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class EventRecomputeLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
