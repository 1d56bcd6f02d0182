package dev.agentpolicy.domain.agent;

import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.quantity.Usd;

/**
 * What a key has used of its caps before the trade that is being decided.
 *
 * @param calls decisions so far on that UTC day; for a key with a daily call cap, all calls that count towards it
 * @param usd notional so far on that UTC day
 * @param aum assets under the key's management so far
 */
public record CapUsage(long calls, Usd usd, Usd aum) {
    /** The members of what a key has used, in signed decisions. */
    public static final Schema<CapUsage> SCHEMA = Schema.of(
            row -> new CapUsage(row.next(), row.next(), row.next()),
            required("calls", Codec.LONG, CapUsage::calls),
            required("usd", Usd.CODEC, CapUsage::usd),
            required("aum", Usd.CODEC, CapUsage::aum));

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
