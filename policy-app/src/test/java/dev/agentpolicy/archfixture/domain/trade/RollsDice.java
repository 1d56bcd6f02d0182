package dev.agentpolicy.archfixture.domain.trade;

import java.util.UUID;

/** Breaks a rule on purpose: chance is an argument. */
final class RollsDice {
    UUID id() {
        return UUID.randomUUID();
    }
}
