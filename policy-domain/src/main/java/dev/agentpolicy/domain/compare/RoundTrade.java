package dev.agentpolicy.domain.compare;

import static dev.agentpolicy.domain.compare.TradeCone.ARRIVING;
import static dev.agentpolicy.domain.compare.TradeCone.ASSET;
import static dev.agentpolicy.domain.compare.TradeCone.CASH;
import static dev.agentpolicy.domain.compare.TradeCone.LOST;
import static dev.agentpolicy.domain.compare.TradeCone.OTHERS;
import static dev.agentpolicy.domain.compare.TradeCone.PEAK;

import dev.agentpolicy.domain.compare.ComparisonSearch.Candidate;
import dev.agentpolicy.domain.compare.LinearSystem.Inequality;
import dev.agentpolicy.domain.compare.LinearSystem.Range;
import dev.agentpolicy.domain.compare.TradeCone.Sort;
import dev.agentpolicy.domain.compare.TradeSpace.AssetCase;
import dev.agentpolicy.domain.compare.TradeSpace.OtherAsset;
import dev.agentpolicy.domain.compare.TradeWitness.Situation;
import dev.agentpolicy.domain.compare.TradeWitness.UsedFlow;
import dev.agentpolicy.domain.ips.Limit;
import dev.agentpolicy.domain.ips.Limit.Per;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Percent;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetDirectory;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a trade and its portfolio among all of a sort, with few and round numbers: no slippage, no peak and no other
 * assets where that is possible, and nothing held of what is bought. Then it chooses one number after the other within
 * what the rest leaves to it.
 */
final class RoundTrade {
    private static final int CENTS = 2;
    private static final int VALUE_PLACES = 8;
    private static final int SLIPPAGE_PLACES = 12;
    private static final BigDecimal CENT = new BigDecimal("0.01");
    private static final Usd PRICE = Usd.of(100);
    /** Powers of 10 of the total that are tried. */
    private static final int[] TOTALS = {5, 4, 6, 3, 7, 8, 9, 10, 11, 12, 13, 2};

    private final Candidate candidate;
    private final TradeCone cone;
    private final Inequality amount;

    RoundTrade(Candidate candidate) {
        this.candidate = candidate;
        this.cone = candidate.cell().cone();
        this.amount = cone.sum(LOST, ARRIVING);
    }

    /** A trade of the sort; null when none was found whose numbers are decimals. */
    @Nullable
    Situation situation() {
        LinearSystem system = candidate.system();
        BigDecimal slippage = slippage(system);
        if (slippage == null) {
            return null;
        }
        system = system.andEqual(cone.sum()
                .plus(BigDecimal.ONE.subtract(slippage), List.of(LOST))
                .plus(slippage.negate(), List.of(ARRIVING)));
        for (int variable = PEAK; variable < cone.variables(); variable++) {
            LinearSystem without = system.and(cone.none(variable));
            system = without.isSolvable() ? without : system;
        }
        LinearSystem bounded = system.and(
                        amount.plus(floor(candidate.above()).add(CENT).negate()))
                .and(amount.negated().plus(candidate.most()).lenient());
        for (int power : TOTALS) {
            LinearSystem ofTotal =
                    bounded.andEqual(cone.total().plus(BigDecimal.TEN.pow(power).negate()));
            Situation situation = ofTotal.isSolvable() ? chosen(ofTotal, slippage) : null;
            if (situation != null) {
                return situation;
            }
        }
        return chosen(bounded, slippage);
    }

    private static BigDecimal floor(BigDecimal usd) {
        return usd.setScale(CENTS, RoundingMode.FLOOR);
    }

    private @Nullable BigDecimal slippage(LinearSystem system) {
        if (system.and(cone.none(LOST)).isSolvable()) {
            return BigDecimal.ZERO;
        }
        return roundest(system.andEqual(amount.plus(BigDecimal.ONE.negate())), cone.sum(LOST), SLIPPAGE_PLACES);
    }

    private static @Nullable BigDecimal roundest(LinearSystem system, Inequality sum, int places) {
        Range range = system.range(sum);
        return Ratio.roundest(range.low(), range.high(), places);
    }

    /** Chooses the amount, and then the rest. */
    private @Nullable Situation chosen(LinearSystem system, BigDecimal slippage) {
        BigDecimal usd = amount(system);
        if (usd == null) {
            return null;
        }
        LinearSystem left = system.andEqual(amount.plus(usd.negate()));
        if (candidate.cell().isBuy() && !isSleeveTold()) {
            LinearSystem withoutAsset = left.and(cone.none(ASSET));
            left = withoutAsset.isSolvable() ? withoutAsset : left;
        }
        BigDecimal[] values = new BigDecimal[cone.variables()];
        for (int variable = cone.variables() - 1; variable >= CASH; variable--) {
            Inequality value = cone.sum(variable);
            BigDecimal chosen = roundest(left, value, VALUE_PLACES);
            if (chosen == null) {
                return null;
            }
            values[variable] = chosen;
            left = left.andEqual(value.plus(chosen.negate()));
        }
        return situation(usd, slippage, values);
    }

    /** Whole cents, between the ends or else at one of them. */
    private @Nullable BigDecimal amount(LinearSystem system) {
        Range range = system.range(amount);
        BigDecimal between = Ratio.roundest(range.low(), range.high(), CENTS);
        if (between != null) {
            return between;
        }
        BigDecimal high = range.high() == null ? null : range.high().floor(CENTS);
        BigDecimal low = range.low().negated().floor(CENTS).negate();
        for (BigDecimal end : high == null ? List.of(low) : List.of(high, low)) {
            if (end.signum() > 0 && system.andEqual(amount.plus(end.negate())).isSolvable()) {
                return end;
            }
        }
        return null;
    }

    private Situation situation(BigDecimal usd, BigDecimal slippage, BigDecimal[] values) {
        AssetCase asset = candidate.cell().asset();
        boolean isBuy = candidate.cell().isBuy();
        List<Position> positions = new ArrayList<>();
        BigDecimal held = isBuy ? values[ASSET] : values[ASSET].add(usd);
        BigDecimal total = usd.add(values[CASH]).add(values[ASSET]);
        if (held.signum() > 0 || isSleeveTold()) {
            positions.add(position(asset.symbol(), asset.sleeve(), held));
        }
        Set<AssetSymbol> taken = new HashSet<>();
        for (int i = 0; i < cone.sorts().size(); i++) {
            BigDecimal value = values[OTHERS + i];
            if (value.signum() > 0) {
                Sort sort = cone.sorts().get(i);
                for (OtherAsset other : sort.assets()) {
                    if (taken.add(other.symbol())) {
                        positions.add(position(other.symbol(), sort.sleeve(), value));
                        break;
                    }
                }
                total = total.add(value);
            }
        }
        Usd peak = values[PEAK].signum() == 0 ? null : new Usd(total.add(values[PEAK]));
        UUID key = candidate.cell().key();
        return new Situation(
                new Trade(
                        isBuy ? Action.BUY : Action.SELL,
                        asset.symbol(),
                        asset.sleeve(),
                        new Usd(usd),
                        slippage.signum() == 0 ? null : new Percent(slippage.movePointRight(2))),
                new Usd(isBuy ? values[CASH].add(usd) : values[CASH]),
                positions,
                peak,
                peak == null ? 0 : candidate.peakDaysAgo(),
                used(usd),
                key.equals(new UUID(0, 0)) ? null : key,
                candidate.moment().at());
    }

    /** Whether only what is held tells the sleeve of the asset. */
    private boolean isSleeveTold() {
        AssetCase asset = candidate.cell().asset();
        return asset.isHeld() && AssetDirectory.builtIn().find(asset.symbol()) == null;
    }

    private static Position position(AssetSymbol symbol, AssetType sleeve, BigDecimal value) {
        return new Position(symbol, sleeve, value.movePointLeft(2), PRICE);
    }

    /** What the flow has counted for which the amount is blocked; null for nothing. */
    private @Nullable UsedFlow used(BigDecimal usd) {
        Limit flow = candidate.reason().flow();
        long trades = candidate.reason().trades();
        if (flow == null || trades == 0) {
            return null;
        }
        Usd maxUsd = flow.maxUsd();
        BigDecimal counted = usd.multiply(BigDecimal.valueOf(trades));
        if (candidate.reason().isOfUsd() && maxUsd != null) {
            counted = maxUsd.value();
        } else if (maxUsd != null) {
            counted = counted.min(maxUsd.value().subtract(usd).max(BigDecimal.ZERO));
        }
        Usd within = candidate.reason().within();
        Usd counts = new Usd(counted);
        return new UsedFlow(
                flow.id(),
                flow.flow(),
                flow.flow().per() == Per.ASSET ? candidate.cell().blockedAs() : null,
                within == null ? counts : counts.min(within.minus(new Usd(usd))),
                trades);
    }
}
