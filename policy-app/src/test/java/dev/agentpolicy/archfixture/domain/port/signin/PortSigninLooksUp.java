package dev.agentpolicy.archfixture.domain.port.signin;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class PortSigninLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
