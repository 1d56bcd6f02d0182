package dev.agentpolicy.domain.request;

import java.time.Instant;

/**
 * A user's yes, and the custodian that is to execute it.
 *
 * @param custodian id of the custodian the order goes to
 * @param at when the user accepted
 */
public record Acceptance(String custodian, Instant at) {}
