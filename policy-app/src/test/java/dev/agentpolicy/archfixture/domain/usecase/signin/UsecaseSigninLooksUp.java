package dev.agentpolicy.archfixture.domain.usecase.signin;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class UsecaseSigninLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
