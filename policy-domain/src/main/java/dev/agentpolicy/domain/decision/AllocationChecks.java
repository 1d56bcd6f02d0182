package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.ips.AllocationBand;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.portfolio.Projection;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Share;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.rule.Violation.Sentence;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;

/** The rules about sleeves and cash: what the portfolio would be after the trade. */
final class AllocationChecks {

    private static final Sentence CRYPTO_ABOVE = it -> outside(it, "Crypto", "maximum", "above");
    private static final Sentence CRYPTO_BELOW = it -> outside(it, "Crypto", "minimum", "below");
    private static final Sentence TRADFI_ABOVE = it -> outside(it, "Tradfi", "maximum", "above");
    private static final Sentence TRADFI_BELOW = it -> outside(it, "Tradfi", "minimum", "below");
    private static final Sentence BELOW_FLOOR = it -> "Cash would be " + ViolationFormat.actual(it, "below")
            + " of the portfolio; the floor is " + ViolationFormat.limit(it) + ".";
    private static final Sentence NOT_ENOUGH_CASH = it -> "The buy costs " + ViolationFormat.usd(it.actual())
            + "; there is " + ViolationFormat.usd(it.limit()) + " in cash.";

    private AllocationChecks() {}

    /** A band only stops a trade that leaves it: a buy above the maximum, a sell below the minimum. */
    static void bands(Trade trade, Ips ips, Projection after, List<Violation> found) {
        AssetType sleeve = trade.assetType();
        AllocationBand band = ips.band(sleeve);
        Share share = after.share(sleeve);
        boolean isCrypto = sleeve == AssetType.CRYPTO;
        if (trade.isBuy() && share.isAbove(band.max())) {
            Rule rule = isCrypto ? Rule.CRYPTO_MAX_ALLOCATION : Rule.TRADFI_MAX_ALLOCATION;
            found.add(outside(rule, share, band.max(), isCrypto ? CRYPTO_ABOVE : TRADFI_ABOVE));
        }
        if (!trade.isBuy() && share.isBelow(band.min())) {
            Rule rule = isCrypto ? Rule.CRYPTO_MIN_ALLOCATION : Rule.TRADFI_MIN_ALLOCATION;
            found.add(outside(rule, share, band.min(), isCrypto ? CRYPTO_BELOW : TRADFI_BELOW));
        }
    }

    /** A trade that lowers cash must not go below the floor. A buy without enough cash breaks another rule instead. */
    static void cashFloor(Trade trade, Ips ips, Projection after, List<Violation> found) {
        boolean isAffordable =
                !trade.isBuy() || !trade.amount().isAbove(after.before().cash());
        Share cash = after.cashShare();
        if (after.lowersCash() && isAffordable && cash.isBelow(ips.cashFloor())) {
            BigDecimal floor = ips.cashFloor().value();
            found.add(new Violation(
                    Rule.CASH_FLOOR, BELOW_FLOOR, floor, cash.rounded().value()));
        }
    }

    static void cash(Trade trade, Snapshot now, List<Violation> found) {
        if (trade.isBuy() && trade.amount().isAbove(now.cash())) {
            BigDecimal cash = now.cash().value();
            found.add(new Violation(
                    Rule.INSUFFICIENT_CASH,
                    NOT_ENOUGH_CASH,
                    cash,
                    trade.amount().value()));
        }
    }

    private static Violation outside(Rule rule, Share share, Fraction limit, Sentence sentence) {
        BigDecimal actual = share.isDefined() ? share.rounded().value() : null;
        return new Violation(rule, sentence, limit.value(), actual);
    }

    private static String outside(Violation it, String sleeve, String edge, String side) {
        String bound = edge + " is " + ViolationFormat.limit(it) + ".";
        return it.actual() == null
                ? "Nothing would be left of the portfolio; the " + sleeve.toLowerCase(Locale.ROOT) + " " + bound
                : sleeve + " would be " + ViolationFormat.actual(it, side) + " of the portfolio; the " + bound;
    }
}
