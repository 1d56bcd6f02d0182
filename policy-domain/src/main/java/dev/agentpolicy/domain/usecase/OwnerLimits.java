package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.OwnerWrites;
import java.util.Optional;

/**
 * What a user may write on a UTC day (docs/reference/limits.md, What a user writes). Pausing, resuming, approving,
 * rejecting and revoking have no such limit.
 *
 * @param ipsVersionsPerDay maximum number of versions of the policy, which may have {@link #MAX_IPS_BYTES} together; 0
 *     for no limit of either
 * @param holdingsPerDay maximum number of writes of holdings; 0 for no limit
 */
public record OwnerLimits(int ipsVersionsPerDay, int holdingsPerDay) {
    public static final OwnerLimits NONE = new OwnerLimits(0, 0);

    static final long MAX_IPS_BYTES = 4_000_000;

    public OwnerLimits {
        if (ipsVersionsPerDay < 0 || holdingsPerDay < 0) {
            throw new IllegalArgumentException("A limit must be 0 or more.");
        }
    }

    /** Refuses a version of the policy beyond the limit of the day. */
    public Optional<Refusal> refuseIps(Account account, long bytes) {
        OwnerWrites written = account.writtenToday();
        if (ipsVersionsPerDay == 0
                || written.ipsVersions() < ipsVersionsPerDay && written.ipsBytes() + bytes <= MAX_IPS_BYTES) {
            return Optional.empty();
        }
        String message = "At most " + ipsVersionsPerDay
                + " versions of the policy, of 4 MB together, may be made a day; the next day begins at midnight UTC.";
        return Optional.of(Refusal.untilMidnight(Refusal.Code.QUOTA_EXCEEDED, message, null, account.now()));
    }

    /** Refuses a write of holdings beyond the limit of the day. */
    public Optional<Refusal> refuseHoldings(Account account) {
        if (holdingsPerDay == 0 || account.writtenToday().holdings() < holdingsPerDay) {
            return Optional.empty();
        }
        String message =
                "Holdings may be written " + holdingsPerDay + " times a day; the next day begins at midnight UTC.";
        return Optional.of(Refusal.untilMidnight(Refusal.Code.QUOTA_EXCEEDED, message, null, account.now()));
    }
}
