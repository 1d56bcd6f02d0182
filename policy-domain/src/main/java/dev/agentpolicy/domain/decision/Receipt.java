package dev.agentpolicy.domain.decision;

/**
 * Where an event is in its user's chain; proof that a decision was recorded.
 *
 * @param seq the event's sequence number in the chain
 * @param hash the event's hash, 64 hex characters
 */
public record Receipt(long seq, String hash) {}
