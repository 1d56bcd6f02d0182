package dev.agentpolicy.archfixture.domain.usecase.profile;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class UsecaseProfileLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
