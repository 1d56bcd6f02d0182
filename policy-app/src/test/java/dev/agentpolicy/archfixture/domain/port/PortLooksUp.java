package dev.agentpolicy.archfixture.domain.port;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class PortLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
