package dev.agentpolicy.domain.agent;

import dev.agentpolicy.domain.quantity.Usd;

/**
 * What the caps of a key are compared with: what it had used before the trade at hand.
 *
 * @param calls decisions before on that UTC day; of a key with a daily call cap, everything that counts for it
 * @param usd notional counted before on that UTC day
 * @param aum assets under the key's management before
 */
public record CapUsage(long calls, Usd usd, Usd aum) {
    public static final CapUsage NOTHING = new CapUsage(0, Usd.ZERO, Usd.ZERO);

    /** This usage with another number of calls. */
    public CapUsage withCalls(long count) {
        return new CapUsage(count, usd, aum);
    }

    /** This usage with another notional of the day. */
    public CapUsage withUsd(Usd notional) {
        return new CapUsage(calls, notional, aum);
    }

    /** This usage with other assets under management. */
    public CapUsage withAum(Usd managed) {
        return new CapUsage(calls, usd, managed);
    }
}
