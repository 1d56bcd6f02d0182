package dev.agentpolicy.archfixture.domain.trade;

import java.time.Instant;

/** Breaks a rule on purpose: time is an argument. */
final class ReadsTheClock {
    Instant now() {
        return Instant.now();
    }
}
