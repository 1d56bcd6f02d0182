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
 * @param day the UTC day of {@code calls} and {@code usd}
 * @param calls decisions of that day
 * @param usd notional of the proposals allowed on that day
 * @param pendingBuys notional of the key's pending buys
 * @param completedBuys notional of the key's completed buys
 * @param completedSells notional of the key's completed sells
 * @param pending number of the key's pending requests
 */
public record Tally(
        LocalDate day, long calls, Usd usd, Usd pendingBuys, Usd completedBuys, Usd completedSells, long pending) {
    public static final Tally NONE = new Tally(LocalDate.EPOCH, 0, Usd.ZERO, Usd.ZERO, Usd.ZERO, Usd.ZERO, 0);

    /** The tally at the given time: with no calls and no notional when a new UTC day has begun. */
    public Tally at(Instant now) {
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        return today.isAfter(day)
                ? new Tally(today, 0, Usd.ZERO, pendingBuys, completedBuys, completedSells, pending)
                : this;
    }

    /** Assets under the key's management: pending and completed buys less completed sells, never below 0. */
    public Usd aum() {
        return pendingBuys.plus(completedBuys).minus(completedSells).max(Usd.ZERO);
    }

    /**
     * What the caps of the key are compared with.
     *
     * @param capped the calls that count towards the daily call cap; null for a key without one
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

    /** The tally with one more pending request. */
    public Tally plusPending(Trade trade) {
        Usd buys = trade.isBuy() ? pendingBuys.plus(trade.amount()) : pendingBuys;
        return new Tally(day, calls, usd, buys, completedBuys, completedSells, pending + 1);
    }

    /** The tally without a pending request that was resolved. */
    public Tally minusPending(Trade trade) {
        return minusPending(trade, trade.amount());
    }

    /**
     * The tally after a part of a pending request was filled.
     *
     * @param amount of the fill
     * @param rest what was not filled of the request before
     */
    public Tally plusFill(Trade trade, Usd amount, Usd rest) {
        Usd released = amount.isAbove(rest) ? rest : amount;
        Usd buys = trade.isBuy() ? pendingBuys.minus(released) : pendingBuys;
        Tally after = new Tally(day, calls, usd, buys, completedBuys, completedSells, pending);
        return trade.isBuy() ? after.plusCompletedBuy(amount) : after.plusCompletedSell(amount);
    }

    /** The tally without a pending request that ended, of which {@code rest} was not filled. */
    public Tally minusPending(Trade trade, Usd rest) {
        Usd buys = trade.isBuy() ? pendingBuys.minus(rest) : pendingBuys;
        return new Tally(day, calls, usd, buys, completedBuys, completedSells, Math.max(0, pending - 1));
    }

    public Tally plusCompletedBuy(Usd amount) {
        return new Tally(day, calls, usd, pendingBuys, completedBuys.plus(amount), completedSells, pending);
    }

    public Tally plusCompletedSell(Usd amount) {
        return new Tally(day, calls, usd, pendingBuys, completedBuys, completedSells.plus(amount), pending);
    }
}
