package dev.agentpolicy.archfixture.domain.decision;

import dev.agentpolicy.archfixture.domain.request.RequestLooksUp;

/** Breaks a rule on purpose: looks into the room above. */
public final class DecisionLooksUp {
    private final Class<?> above = RequestLooksUp.class;
}
