package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Share;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;

/**
 * The portfolio after a trade. A buy takes the amount from cash and adds it, less the slippage, to the sleeve. A sell
 * takes the amount from the sleeve and adds it, less the slippage, to cash.
 */
public final class Projection {
    private final Snapshot before;
    private final Usd crypto;
    private final Usd tradfi;
    private final Usd cash;
    private final Usd total;

    private Projection(Snapshot before, Usd crypto, Usd tradfi, Usd cash) {
        this.before = before;
        this.crypto = crypto;
        this.tradfi = tradfi;
        this.cash = cash;
        this.total = crypto.plus(tradfi).plus(cash);
    }

    public static Projection of(Snapshot before, Trade trade) {
        return of(before, trade, trade.slippage());
    }

    /** The projection with a slippage that the caller has computed with {@link Trade#slippage()}. */
    public static Projection of(Snapshot before, Trade trade, Fraction slippage) {
        Usd arriving = trade.arriving(slippage);
        Usd sleeve = before.sleeve(trade.assetType());
        Usd sleeveAfter = trade.isBuy() ? sleeve.plus(arriving) : sleeve.minus(trade.amount());
        Usd cashAfter = trade.isBuy()
                ? before.cash().minus(trade.amount())
                : before.cash().plus(arriving);
        boolean isCrypto = trade.assetType() == AssetType.CRYPTO;
        return new Projection(
                before, isCrypto ? sleeveAfter : before.crypto(), isCrypto ? before.tradfi() : sleeveAfter, cashAfter);
    }

    /** The portfolio before the trade. */
    public Snapshot before() {
        return before;
    }

    /** The totals after the trade, none of them below 0, and a peak that is not below their sum. */
    public Snapshot after() {
        return Snapshot.ofCrypto(crypto.max(Usd.ZERO))
                .tradfi(tradfi.max(Usd.ZERO))
                .cash(cash.max(Usd.ZERO))
                .peak(before.peak())
                .asOf(before.date());
    }

    public Usd cash() {
        return cash;
    }

    public Usd total() {
        return total;
    }

    public Share share(AssetType type) {
        return (type == AssetType.CRYPTO ? crypto : tradfi).shareOf(total);
    }

    public Share cashShare() {
        return cash.shareOf(total);
    }

    public boolean lowersCash() {
        return cash.isBelow(before.cash());
    }

    /** The drawdown after the trade, never negative. */
    public Share drawdown() {
        return before.drawdownAt(total);
    }
}
