package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.ips.AllocationBand;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Share;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetType;
import org.jspecify.annotations.Nullable;

/**
 * How much of its policy a portfolio uses (contract, section 3, mandate): exact fractions, rounded once to six places.
 *
 * @param cryptoUsed where crypto lies in its band, 0 at the minimum and 1 at the maximum; null when the band is a point
 * @param tradfiUsed the same of tradfi
 * @param cryptoDrift fraction in crypto less its target
 * @param tradfiDrift fraction in tradfi less its target
 * @param drawdownHeadroom maximum drawdown less the present one; negative beyond the limit
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
                : new Share(above, share.whole().times(width)).rounded();
    }

    private static Fraction headroom(Share drawdown, Fraction most) {
        Usd left = drawdown.whole().times(most).minus(drawdown.part());
        return new Share(left, drawdown.whole()).rounded();
    }

    /** By how much a share is above a fraction of its whole, as a part of the whole. */
    private static Share beyond(Share share, Fraction fraction) {
        return new Share(share.part().minus(share.whole().times(fraction)), share.whole());
    }
}
