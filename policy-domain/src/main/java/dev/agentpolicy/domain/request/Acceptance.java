package dev.agentpolicy.domain.request;

import java.time.Instant;

/**
 * A user's yes, and the custodian that is to execute it.
 *
 * @param custodian id of the custodian the order goes to
 * @param attempt 1 for the first yes; one more after each that could not be executed
 * @param at when the user accepted
 */
public record Acceptance(String custodian, int attempt, Instant at) {}
