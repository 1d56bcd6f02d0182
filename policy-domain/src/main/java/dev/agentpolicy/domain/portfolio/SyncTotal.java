package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.quantity.Usd;
import java.time.Instant;

/**
 * The value of a whole portfolio when a broker was synced.
 *
 * @param custodian the broker
 * @param at the time of the sync
 * @param total in USD, scaled by later deposits and withdrawals as the peak is
 */
public record SyncTotal(String custodian, Instant at, Usd total) {}
