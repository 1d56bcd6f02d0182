package dev.agentpolicy.domain.request;

/**
 * Where in its user's log something is told.
 *
 * @param seq of the row
 * @param hash of the row, 64 hex characters
 */
public record LogPlace(long seq, String hash) {}
