package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.ips.AllocationBand;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.portfolio.Projection;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Share;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import java.util.List;
import java.util.Locale;

/** What the parts of the portfolio would be after a trade. */
final class AllocationChecks {

    private AllocationChecks() {}

    /** A band only stops the trade that pushes outwards: a buy at the maximum, a sell at the minimum. */
    static void bands(Trade trade, Ips ips, Projection after, List<Violation> found) {
        AssetType sleeve = trade.assetType();
        AllocationBand band = ips.band(sleeve);
        Share share = after.share(sleeve);
        boolean isCrypto = sleeve == AssetType.CRYPTO;
        if (trade.isBuy() && share.isAbove(band.max())) {
            Rule rule = isCrypto ? Rule.CRYPTO_MAX_ALLOCATION : Rule.TRADFI_MAX_ALLOCATION;
            found.add(outside(rule, sleeve, share, band.max(), "maximum", "above"));
        }
        if (!trade.isBuy() && share.isBelow(band.min())) {
            Rule rule = isCrypto ? Rule.CRYPTO_MIN_ALLOCATION : Rule.TRADFI_MIN_ALLOCATION;
            found.add(outside(rule, sleeve, share, band.min(), "minimum", "below"));
        }
    }

    /** A trade that lowers cash must leave the floor, unless it is refused for want of cash anyway. */
    static void cashFloor(Trade trade, Ips ips, Projection after, List<Violation> found) {
        boolean isAffordable =
                !trade.isBuy() || !trade.amount().isAbove(after.before().cash());
        Share cash = after.cashShare();
        if (after.lowersCash() && isAffordable && cash.isBelow(ips.cashFloor())) {
            Fraction actual = cash.rounded();
            String message = "Cash would be " + Words.against(actual, ips.cashFloor(), "below")
                    + "% of the portfolio; the floor is " + ips.cashFloor().inPercent() + "%.";
            found.add(new Violation(Rule.CASH_FLOOR, message, ips.cashFloor().value(), actual.value()));
        }
    }

    static void cash(Trade trade, Snapshot now, List<Violation> found) {
        if (trade.isBuy() && trade.amount().isAbove(now.cash())) {
            String message =
                    "The buy costs " + Words.usd(trade.amount()) + "; there is " + Words.usd(now.cash()) + " in cash.";
            found.add(new Violation(
                    Rule.INSUFFICIENT_CASH,
                    message,
                    now.cash().value(),
                    trade.amount().value()));
        }
    }

    private static Violation outside(
            Rule rule, AssetType sleeve, Share share, Fraction limit, String edge, String side) {
        String name = sleeve == AssetType.CRYPTO ? "Crypto" : "Tradfi";
        if (!share.isDefined()) {
            String message = "Nothing would be left of the portfolio; the " + name.toLowerCase(Locale.ROOT) + " " + edge
                    + " is " + limit.inPercent() + "%.";
            return new Violation(rule, message, limit.value(), null);
        }
        Fraction actual = share.rounded();
        String message = name + " would be " + Words.against(actual, limit, side) + "% of the portfolio; the " + edge
                + " is " + limit.inPercent() + "%.";
        return new Violation(rule, message, limit.value(), actual.value());
    }
}
