package dev.agentpolicy.domain.decision;

/**
 * Proof that an event has its place in the chain.
 *
 * @param seq its place
 * @param hash its hash, 64 hex characters
 */
public record Receipt(long seq, String hash) {}
