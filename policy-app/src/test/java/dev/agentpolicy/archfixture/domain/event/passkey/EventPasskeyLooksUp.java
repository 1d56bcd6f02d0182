package dev.agentpolicy.archfixture.domain.event.passkey;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class EventPasskeyLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
