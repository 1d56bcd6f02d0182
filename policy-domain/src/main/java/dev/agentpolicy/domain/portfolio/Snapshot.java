package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Share;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetType;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The portfolio in the sums a decision looks at (specification, Snapshot fields).
 *
 * @param crypto value of the crypto sleeve
 * @param tradfi value of the tradfi sleeve
 * @param cash over all custodians
 * @param peak highest total value, see {@link Portfolio#peak}
 * @param date when the holdings were known to be so, null when nobody said
 */
public record Snapshot(
        Usd crypto,
        Usd tradfi,
        Usd cash,
        Usd peak,
        @Nullable Instant date) {

    public Usd total() {
        return crypto.plus(tradfi).plus(cash);
    }

    public Usd sleeve(AssetType type) {
        return type == AssetType.CRYPTO ? crypto : tradfi;
    }

    public Share share(AssetType type) {
        return new Share(sleeve(type), total());
    }

    public Share cashShare() {
        return new Share(cash, total());
    }

    /** How far the total is below the peak, as a part of the peak; never negative. */
    public Share drawdown() {
        return drawdownAt(total());
    }

    Share drawdownAt(Usd totalValue) {
        return new Share(peak.minus(totalValue).max(Usd.ZERO), peak);
    }

    /** The drawdown with six places, for reports. */
    public Fraction currentDrawdown() {
        return drawdown().rounded();
    }
}
