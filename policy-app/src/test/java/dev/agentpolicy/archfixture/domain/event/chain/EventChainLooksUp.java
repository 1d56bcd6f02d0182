package dev.agentpolicy.archfixture.domain.event.chain;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class EventChainLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
