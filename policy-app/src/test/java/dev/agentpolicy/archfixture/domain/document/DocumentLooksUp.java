package dev.agentpolicy.archfixture.domain.document;

import dev.agentpolicy.archfixture.domain.quantity.QuantityLooksUp;

/** Breaks a rule on purpose: looks into the room above. */
public final class DocumentLooksUp {
    private final Class<?> above = QuantityLooksUp.class;
}
