package dev.agentpolicy.archfixture.domain.event.anchor;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class EventAnchorLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
