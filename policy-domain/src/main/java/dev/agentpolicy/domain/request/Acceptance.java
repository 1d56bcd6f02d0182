package dev.agentpolicy.domain.request;

import java.time.Instant;

/**
 * A user's acceptance of a request, and the custodian that executes it.
 *
 * @param custodian id of the custodian that gets the order
 * @param attempt 1 for the first acceptance of a request, then one more for each
 * @param at when the user accepted
 */
public record Acceptance(String custodian, int attempt, Instant at) {}
