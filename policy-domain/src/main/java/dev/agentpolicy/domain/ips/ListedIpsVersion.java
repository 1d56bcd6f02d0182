package dev.agentpolicy.domain.ips;

import java.time.Instant;

/**
 * A version of an IPS without its document.
 *
 * @param version its number
 * @param createdAt when it came into force
 */
public record ListedIpsVersion(int version, Instant createdAt) {

    /** The version without its document. */
    public static ListedIpsVersion of(IpsVersion version) {
        return new ListedIpsVersion(version.version(), version.createdAt());
    }
}
