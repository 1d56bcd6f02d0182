package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.ips.AllocationBand;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Share;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetType;
import org.jspecify.annotations.Nullable;

/**
 * How much of its policy a portfolio uses (docs/reference/agent-api.md, mandate): exact fractions, rounded once to six
 * places.
 *
 * @param cryptoUsed the position of crypto in its band, 0 at the minimum and 1 at the maximum; null when both are equal
 * @param tradfiUsed the position of tradfi in its band
 * @param cryptoDrift the fraction in crypto minus its target
 * @param tradfiDrift the fraction in tradfi minus its target
 * @param drawdownHeadroom the maximum drawdown minus the present one; negative beyond the limit
 */
public record Utilization(
        @Nullable Fraction cryptoUsed,
        @Nullable Fraction tradfiUsed,
        Fraction cryptoDrift,
        Fraction tradfiDrift,
        Fraction drawdownHeadroom) {

    public static Utilization of(Snapshot snapshot, Ips ips) {
        return new Utilization(
                used(snapshot.share(AssetType.CRYPTO), ips.crypto()),
                used(snapshot.share(AssetType.TRADFI), ips.tradfi()),
                beyond(snapshot.share(AssetType.CRYPTO), ips.crypto().target()).rounded(),
                beyond(snapshot.share(AssetType.TRADFI), ips.tradfi().target()).rounded(),
                headroom(snapshot.drawdown(), ips.maxDrawdown()));
    }

    private static @Nullable Fraction used(Share share, AllocationBand band) {
        Fraction width = band.max().minus(band.min());
        Usd above = beyond(share, band.min()).part();
        return width.equals(Fraction.ZERO)
                ? null
                : above.shareOf(share.whole().times(width)).rounded();
    }

    private static Fraction headroom(Share drawdown, Fraction limit) {
        Usd left = drawdown.whole().times(limit).minus(drawdown.part());
        return left.shareOf(drawdown.whole()).rounded();
    }

    /** The excess of a share over a fraction of its whole. */
    private static Share beyond(Share share, Fraction fraction) {
        return share.part().minus(share.whole().times(fraction)).shareOf(share.whole());
    }
}
