package dev.agentpolicy.domain.decision;

/**
 * Proof that an event was recorded: its place in the user's chain and its hash.
 *
 * @param seq the number of its row, from 1
 * @param hash the hash of its row, 64 lower-case hex characters
 */
public record Receipt(long seq, String hash) {}
