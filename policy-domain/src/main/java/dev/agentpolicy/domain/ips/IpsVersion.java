package dev.agentpolicy.domain.ips;

import java.time.Instant;

/**
 * An IPS as it was stored.
 *
 * @param version 1, 2, 3, ... per user
 * @param ips the statement
 * @param createdAt since when it is in force
 */
public record IpsVersion(int version, Ips ips, Instant createdAt) {}
