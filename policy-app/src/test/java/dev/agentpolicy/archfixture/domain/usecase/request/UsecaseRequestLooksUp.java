package dev.agentpolicy.archfixture.domain.usecase.request;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class UsecaseRequestLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
