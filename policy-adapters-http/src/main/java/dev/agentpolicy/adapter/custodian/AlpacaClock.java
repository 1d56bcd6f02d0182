package dev.agentpolicy.adapter.custodian;

import java.time.Instant;

/**
 * The hours of the market for shares and funds. Crypto trades at all times.
 *
 * @param now the broker's time, which may differ from the local one
 * @param isOpen whether the market is open now
 * @param nextOpen when it opens next
 * @param nextClose when it closes next
 */
public record AlpacaClock(Instant now, boolean isOpen, Instant nextOpen, Instant nextClose) {}
