package dev.agentpolicy.archfixture.domain.ips;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class IpsLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
