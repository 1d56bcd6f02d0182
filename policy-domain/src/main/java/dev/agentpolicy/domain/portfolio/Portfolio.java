package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All holdings of a user at one revision. Immutable: every change is a new revision.
 *
 * @param revision 1, 2, 3, ... for each user
 * @param custodians in the order they were added
 * @param peak the highest total value, scaled by later deposits and withdrawals
 * @param asOf the time of this revision
 */
public record Portfolio(long revision, List<CustodianHoldings> custodians, Usd peak, Instant asOf) {

    public Portfolio {
        custodians = List.copyOf(custodians);
    }

    /** The first revision. Its peak is its total. */
    public static Portfolio first(CustodianHoldings holdings, Instant now) {
        return new Portfolio(1, List.of(holdings), holdings.total(), now);
    }

    /** The next revision, with the present holdings of one custodian. */
    public Portfolio with(CustodianHoldings holdings, Instant now) {
        return with(holdings, null, now);
    }

    /**
     * The next revision, after a trade at a custodian.
     *
     * @param moved the traded position at its price, which may not be held any more; null without a trade
     */
    public Portfolio with(CustodianHoldings holdings, @Nullable Position moved, Instant now) {
        List<CustodianHoldings> next = new ArrayList<>(custodians);
        int place = next.indexOf(custodian(holdings.id()).orElse(null));
        if (place < 0) {
            next.add(holdings);
        } else {
            next.set(place, holdings);
        }
        return new Portfolio(revision + 1, next, Peak.after(this, next, new Prices(next, holdings.id(), moved)), now);
    }

    /** Whether holdings are newer than the known ones of their custodian. */
    public boolean isNews(CustodianHoldings holdings) {
        return custodian(holdings.id())
                .map(known -> holdings.revision() > known.revision())
                .orElse(true);
    }

    public Optional<CustodianHoldings> custodian(String id) {
        return custodians.stream().filter(holdings -> holdings.id().equals(id)).findFirst();
    }

    public Usd total() {
        return custodians.stream().map(CustodianHoldings::total).reduce(Usd.ZERO, Usd::plus);
    }

    /** The value of one asset at all custodians; 0 when it is not held. */
    public Usd held(AssetSymbol symbol, AssetType assetType) {
        Usd sum = Usd.ZERO;
        for (CustodianHoldings holdings : custodians) {
            Position position = holdings.index().find(symbol, assetType);
            sum = position == null ? sum : sum.plus(position.marketValue());
        }
        return sum;
    }

    /** The sleeve in which an asset is held, null when it is not; crypto when it is held in both. */
    public @Nullable AssetType heldIn(AssetSymbol symbol) {
        return sleeve(symbol, true);
    }

    /** The sleeve in which an asset is listed with a quantity of 0, null when it is not; crypto when in both. */
    public @Nullable AssetType listedIn(AssetSymbol symbol) {
        return sleeve(symbol, false);
    }

    private @Nullable AssetType sleeve(AssetSymbol symbol, boolean isHeld) {
        for (AssetType type : AssetType.values()) {
            for (CustodianHoldings holdings : custodians) {
                Position position = holdings.index().find(symbol, type);
                if (position != null && position.quantity().signum() > 0 == isHeld) {
                    return type;
                }
            }
        }
        return null;
    }

    /** The totals that a decision depends on; empty when the portfolio is worth nothing. */
    public Optional<Snapshot> snapshot() {
        Usd crypto = Usd.ZERO;
        Usd tradfi = Usd.ZERO;
        Usd cash = Usd.ZERO;
        for (CustodianHoldings holdings : custodians) {
            cash = cash.plus(holdings.cash());
            for (Position position : holdings.positions()) {
                if (position.assetType() == AssetType.CRYPTO) {
                    crypto = crypto.plus(position.marketValue());
                } else {
                    tradfi = tradfi.plus(position.marketValue());
                }
            }
        }
        Snapshot snapshot = new Snapshot(crypto, tradfi, cash, peak, asOf);
        return snapshot.total().isZero() ? Optional.empty() : Optional.of(snapshot);
    }
}
