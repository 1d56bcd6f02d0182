package dev.agentpolicy.domain.account;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * What the user of an account wrote on one day, as far as it is limited (docs/reference/limits.md, What a user writes).
 *
 * @param day the UTC day
 * @param ipsVersions versions of the policy that the user put in force
 * @param ipsBytes the size of these versions in UTF-8, as they are stored
 * @param holdings writes of holdings: what a paper custodian holds, and the user's own trades there
 */
public record OwnerWrites(LocalDate day, long ipsVersions, long ipsBytes, long holdings) {
    public static final OwnerWrites NONE = new OwnerWrites(LocalDate.EPOCH, 0, 0, 0);

    /** The counts at the given time; 0 when a new UTC day has begun. */
    public OwnerWrites at(Instant now) {
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        return today.isAfter(day) ? new OwnerWrites(today, 0, 0, 0) : this;
    }

    /** With one more version of the policy. */
    public OwnerWrites plusIpsVersion(long bytes) {
        return new OwnerWrites(day, ipsVersions + 1, ipsBytes + bytes, holdings);
    }

    /** With one more write of holdings. */
    public OwnerWrites plusHoldings() {
        return new OwnerWrites(day, ipsVersions, ipsBytes, holdings + 1);
    }
}
