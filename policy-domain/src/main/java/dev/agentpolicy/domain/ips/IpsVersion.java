package dev.agentpolicy.domain.ips;

import java.time.Instant;

/**
 * A stored version of an IPS.
 *
 * @param version 1, 2, 3, ... per user
 * @param ips the statement
 * @param createdAt when it came into force
 */
public record IpsVersion(int version, Ips ips, Instant createdAt) {}
