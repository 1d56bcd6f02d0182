package dev.agentpolicy.archfixture.domain.document;

import dev.agentpolicy.archfixture.domain.sandbox.TopOfTheDomain;

/** Breaks a rule on purpose: looks into a room above. */
public final class DocumentLooksUp {
    private final Class<?> above = TopOfTheDomain.class;
}
