package dev.agentpolicy.domain.agent;

import dev.agentpolicy.domain.quantity.Usd;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;

/**
 * What a key has used of its caps.
 *
 * @param day the UTC day that calls and usd are of
 * @param calls trades checked on that day
 * @param usd notional of the proposals allowed on that day
 * @param pendingBuys notional of its buys that wait for the user
 * @param completedBuys notional of its buys that were executed
 * @param completedSells notional of its sells that were executed
 */
public record Tally(LocalDate day, long calls, Usd usd, Usd pendingBuys, Usd completedBuys, Usd completedSells) {
    public static final Tally NONE = new Tally(LocalDate.EPOCH, 0, Usd.ZERO, Usd.ZERO, Usd.ZERO, Usd.ZERO);

    /** The tally as it stands at a moment: a new UTC day begins with nothing used. */
    public Tally at(Instant now) {
        LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
        return today.isAfter(day) ? new Tally(today, 0, Usd.ZERO, pendingBuys, completedBuys, completedSells) : this;
    }

    /** Assets under this key's management, never below 0. */
    public Usd aum() {
        return pendingBuys.plus(completedBuys).minus(completedSells).max(Usd.ZERO);
    }

    public Tally plusCall() {
        return new Tally(day, calls + 1, usd, pendingBuys, completedBuys, completedSells);
    }

    public Tally plusUsd(Usd amount) {
        return new Tally(day, calls, usd.plus(amount), pendingBuys, completedBuys, completedSells);
    }

    public Tally plusPendingBuy(Usd amount) {
        return new Tally(day, calls, usd, pendingBuys.plus(amount), completedBuys, completedSells);
    }

    public Tally minusPendingBuy(Usd amount) {
        return new Tally(day, calls, usd, pendingBuys.minus(amount), completedBuys, completedSells);
    }

    public Tally plusCompletedBuy(Usd amount) {
        return new Tally(day, calls, usd, pendingBuys, completedBuys.plus(amount), completedSells);
    }

    public Tally plusCompletedSell(Usd amount) {
        return new Tally(day, calls, usd, pendingBuys, completedBuys, completedSells.plus(amount));
    }
}
