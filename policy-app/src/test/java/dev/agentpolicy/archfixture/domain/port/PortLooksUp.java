package dev.agentpolicy.archfixture.domain.port;

import dev.agentpolicy.archfixture.domain.usecase.UsecaseLooksUp;

/** Breaks a rule on purpose: looks into the room above. */
public final class PortLooksUp {
    private final Class<?> above = UsecaseLooksUp.class;
}
