package dev.agentpolicy.archfixture.domain.trade;

import java.time.Instant;
import java.util.function.Supplier;

/** Breaks a rule on purpose: a method reference reaches the clock too. */
final class NamesTheClock {
    Supplier<Instant> now() {
        return Instant::now;
    }
}
