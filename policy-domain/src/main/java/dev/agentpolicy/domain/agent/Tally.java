package dev.agentpolicy.domain.agent;

import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Trade;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * What a key has used of its caps.
 *
 * @param day the UTC day that calls and usd are of
 * @param calls decisions of that day
 * @param usd notional of the proposals allowed on that day
 * @param pendingBuys notional of its buys that wait for the user
 * @param completedBuys notional of its buys that were executed
 * @param completedSells notional of its sells that were executed
 * @param pending its requests that are neither completed nor rejected
 */
public record Tally(
        LocalDate day, long calls, Usd usd, Usd pendingBuys, Usd completedBuys, Usd completedSells, long pending) {
    public static final Tally NONE = new Tally(LocalDate.EPOCH, 0, Usd.ZERO, Usd.ZERO, Usd.ZERO, Usd.ZERO, 0);

    /** The tally as it stands at a moment: a new UTC day begins with nothing used. */
    public Tally at(Instant now) {
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        return today.isAfter(day)
                ? new Tally(today, 0, Usd.ZERO, pendingBuys, completedBuys, completedSells, pending)
                : this;
    }

    /** Assets under this key's management, never below 0. */
    public Usd aum() {
        return pendingBuys.plus(completedBuys).minus(completedSells).max(Usd.ZERO);
    }

    /**
     * What the caps of the key are compared with.
     *
     * @param capped calls that were counted for a daily call cap; null of a key without one
     */
    public CapUsage used(@Nullable Long capped) {
        return new CapUsage(capped == null ? calls : capped, usd, aum());
    }

    public Tally plusCall() {
        return new Tally(day, calls + 1, usd, pendingBuys, completedBuys, completedSells, pending);
    }

    public Tally plusUsd(Usd amount) {
        return new Tally(day, calls, usd.plus(amount), pendingBuys, completedBuys, completedSells, pending);
    }

    /** With one more request that waits for the user. */
    public Tally plusPending(Trade trade) {
        Usd buys = trade.isBuy() ? pendingBuys.plus(trade.amount()) : pendingBuys;
        return new Tally(day, calls, usd, buys, completedBuys, completedSells, pending + 1);
    }

    /** Without a request that waited and is resolved. */
    public Tally minusPending(Trade trade) {
        Usd buys = trade.isBuy() ? pendingBuys.minus(trade.amount()) : pendingBuys;
        return new Tally(day, calls, usd, buys, completedBuys, completedSells, Math.max(0, pending - 1));
    }

    public Tally plusCompletedBuy(Usd amount) {
        return new Tally(day, calls, usd, pendingBuys, completedBuys.plus(amount), completedSells, pending);
    }

    public Tally plusCompletedSell(Usd amount) {
        return new Tally(day, calls, usd, pendingBuys, completedBuys, completedSells.plus(amount), pending);
    }
}
