package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.decision.RandomCase.Bound;
import dev.agentpolicy.domain.decision.RandomCase.Standing;
import java.math.BigInteger;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A second implementation of the rules, written from docs/reference/rules.md alone with exact rationals. It shares no
 * code with the evaluator and returns {@code rule limit actual} in whole millionths and units of 1e-8 USD.
 */
final class ReferencePolicy {
    private final RandomCase it;
    private final ReferenceAsset asset;
    private final List<String> fired = new ArrayList<>();

    private ReferencePolicy(RandomCase it) {
        this.it = it;
        this.asset = ReferenceAsset.of(it);
    }

    static List<String> decide(RandomCase it) {
        ReferencePolicy policy = new ReferencePolicy(it);
        policy.evaluate();
        return policy.fired;
    }

    private void evaluate() {
        String said = it.crypto ? "crypto" : "tradfi";
        if (asset.isRefused() || asset.sleeve() != null && !asset.sleeve().equals(said)) {
            fire(true, "invalid_payload");
            return;
        }
        long before = it.cryptoValue + it.tradfiValue + it.cash;
        boolean known = it.hasSnapshot && before != 0;
        Ratio a = Ratio.of(it.amount);
        Ratio s = new Ratio(it.slippageOrNone(), BigInteger.TEN.pow(20));
        Ratio arriving = a.times(Ratio.of(1).minus(s));
        Ratio total = Ratio.of(before).minus(a.times(s));
        Ratio cashAfter =
                it.buy ? Ratio.of(it.cash).minus(a) : Ratio.of(it.cash).plus(arriving);

        fire(!it.hasIps, "no_active_ips");
        fire(!known, "no_portfolio_snapshot");
        fire(it.hasIps && !(it.buy ? it.buyAllowed : it.sellAllowed), "action_not_allowed");
        if (known && it.held >= 0 && !it.buy && it.amount > it.held) {
            fire(true, "action_not_allowed " + it.held + " " + it.amount);
        }
        if (it.hasIps && known) {
            band("crypto", it.crypto, it.cryptoBand, sleeveAfter(it.cryptoValue, a, arriving), total);
            band("tradfi", !it.crypto, it.tradfiBand, sleeveAfter(it.tradfiValue, a, arriving), total);
            Ratio floor = Ratio.millionths(it.cashFloor).times(total);
            boolean affordable = !it.buy || it.amount <= it.cash;
            fire(
                    cashAfter.compareTo(Ratio.of(it.cash)) < 0 && affordable && cashAfter.compareTo(floor) < 0,
                    "cash_floor " + it.cashFloor + " " + share(cashAfter, total));
        }
        fire(known && it.buy && it.amount > it.cash, "insufficient_cash " + it.cash + " " + it.amount);
        if (it.hasIps && known) {
            drawdown(Ratio.of(before), total);
        }
        if (it.hasIps) {
            boolean over = s.compareTo(Ratio.millionths(it.maxSlippage)) > 0;
            fire(over, "slippage_exceeded " + it.maxSlippage + " " + s.inMillionths());
        }
        long aum = it.usedAum + it.amount;
        long usd = it.usedUsd + it.amount;
        long calls = it.usedCalls + 1;
        fire(it.aumCap >= 0 && it.buy && aum > it.aumCap, "agent_aum_cap " + it.aumCap + " " + aum);
        fire(it.usdCap >= 0 && usd > it.usdCap, "agent_aum_cap " + it.usdCap + " " + usd);
        fire(it.callCap >= 0 && calls > it.callCap, "agent_aum_cap " + it.callCap + " " + calls);
        String level = it.hasIps ? it.levels.getOrDefault(asset.symbol(), it.standardLevel) : "full";
        boolean keyMay = (it.keyAssets == null || it.keyAssets.contains(asset.symbol()))
                && (it.keySleeves == null || it.keySleeves.contains(it.crypto ? "crypto" : "tradfi"));
        boolean isUnknown = asset.sleeve() == null && it.hasIps && it.blocksUnknown;
        fire(level.equals("monitor") || isUnknown || !keyMay, "asset_authority_monitor");
        fire(level.equals("protect") && !it.buy, "asset_authority_protect_sell");
        if (it.hasIps) {
            it.rules.forEach(rule -> fire(rule.blocks() && matches(it, rule), "standing_rule_blocked"));
            limits(true, known, total, a, arriving);
            it.rules.forEach(rule -> fire(!rule.blocks() && matches(it, rule), "standing_rule_requires_approval"));
            limits(false, known, total, a, arriving);
        }
    }

    /** Limits with one effect: those of a portfolio stop only buys, those over time whatever is in scope. */
    private void limits(boolean blocks, boolean known, Ratio total, Ratio amount, Ratio arriving) {
        String rule = blocks ? "standing_rule_blocked " : "standing_rule_requires_approval ";
        for (Bound limit : it.limits) {
            Map<ListCondition, String> words = Map.of(
                    ListCondition.ACTIONS, it.buy ? "buy" : "sell",
                    ListCondition.ASSET_TYPES, it.crypto ? "crypto" : "tradfi",
                    ListCondition.SYMBOLS, asset.symbol());
            boolean holds = limit.blocks() == blocks
                    && limit.lists().entrySet().stream()
                            .allMatch(list -> list.getValue().contains(words.get(list.getKey())));
            if (holds && limit.kind().equals("flow")) {
                long usd = limit.usd() + it.amount;
                long trades = limit.trades() + 1;
                if (limit.maxUsd() >= 0 && usd > limit.maxUsd()) {
                    fire(true, rule + "usd " + limit.maxUsd() + " " + usd);
                } else {
                    fire(
                            limit.maxTrades() >= 0 && trades > limit.maxTrades(),
                            rule + "trades " + limit.maxTrades() + " " + trades);
                }
            } else if (holds && known && it.buy && limit.kind().equals("position")) {
                Ratio held = Ratio.of(limit.usd()).plus(arriving);
                boolean above = held.compareTo(Ratio.millionths(limit.max()).times(total)) > 0;
                fire(above, rule + limit.max() + share(" ", held, total));
            } else if (holds && known && it.buy) {
                Ratio peak = new Ratio(limit.peak(), BigInteger.TEN.pow(4));
                Ratio loss = Ratio.of(1).minus(total.over(peak));
                boolean above = loss.compareTo(Ratio.millionths(limit.max())) > 0;
                fire(above, rule + limit.max() + " " + loss.inMillionths());
            }
        }
    }

    private Ratio sleeveAfter(long value, Ratio a, Ratio arriving) {
        return it.buy ? Ratio.of(value).plus(arriving) : Ratio.of(value).minus(a);
    }

    private void band(String sleeve, boolean traded, long[] band, Ratio after, Ratio total) {
        if (traded && it.buy) {
            boolean above = after.compareTo(Ratio.millionths(band[2]).times(total)) > 0;
            fire(above, sleeve + "_max_allocation " + band[2] + share(" ", after, total));
        }
        if (traded && !it.buy) {
            boolean below = after.compareTo(Ratio.millionths(band[0]).times(total)) < 0;
            fire(below, sleeve + "_min_allocation " + band[0] + share(" ", after, total));
        }
    }

    private void drawdown(Ratio before, Ratio after) {
        Ratio confirmed = new Ratio(it.peak, BigInteger.TEN.pow(4));
        Ratio peak = confirmed.compareTo(before) > 0 ? confirmed : before;
        Ratio limit = Ratio.millionths(it.maxDrawdown);
        Ratio now = Ratio.of(1).minus(before.over(peak));
        Ratio then = Ratio.of(1).minus(after.over(peak));
        boolean beyond = then.compareTo(limit) > 0;
        boolean crosses = now.compareTo(limit) <= 0;
        fire(beyond && (it.buy || crosses), "drawdown_exceeded " + it.maxDrawdown + " " + then.inMillionths());
    }

    /** An empty list matches nothing. Without hours, a day is a day in UTC (docs/reference/rules.md). */
    static boolean matches(RandomCase it, Standing rule) {
        ZonedDateTime local = it.now.atZone(ZoneId.of(rule.start() < 0 ? "UTC" : rule.tz()));
        int hour = local.getHour();
        boolean inHours = rule.start() < 0
                || (rule.start() < rule.end()
                        ? rule.start() <= hour && hour < rule.end()
                        : rule.start() <= hour || hour < rule.end());
        Map<ListCondition, String> words = Map.of(
                ListCondition.ACTIONS,
                it.buy ? "buy" : "sell",
                ListCondition.ASSET_TYPES,
                it.crypto ? "crypto" : "tradfi",
                ListCondition.SYMBOLS,
                rule.lists().containsKey(ListCondition.SYMBOLS)
                        ? ReferenceAsset.of(it).symbol()
                        : "",
                ListCondition.DAYS,
                local.getDayOfWeek().name().substring(0, 3));
        return inHours
                && (rule.above() < 0 || it.amount > rule.above())
                && rule.lists().entrySet().stream()
                        .allMatch(list -> list.getValue().contains(words.get(list.getKey())));
    }

    private void fire(boolean fires, String rule) {
        if (fires) {
            fired.add(rule);
        }
    }

    private static String share(Ratio part, Ratio total) {
        return share("", part, total);
    }

    /** No value if the whole is nothing. */
    private static String share(String before, Ratio part, Ratio total) {
        return total.num.signum() <= 0 ? "" : before + part.over(total).inMillionths();
    }

    /** An exact fraction; the denominator is above 0. */
    private record Ratio(BigInteger num, BigInteger den) implements Comparable<Ratio> {
        static Ratio of(long whole) {
            return new Ratio(BigInteger.valueOf(whole), BigInteger.ONE);
        }

        static Ratio millionths(long millionths) {
            return new Ratio(BigInteger.valueOf(millionths), BigInteger.valueOf(1_000_000));
        }

        Ratio plus(Ratio other) {
            return new Ratio(num.multiply(other.den).add(other.num.multiply(den)), den.multiply(other.den));
        }

        Ratio minus(Ratio other) {
            return plus(new Ratio(other.num.negate(), other.den));
        }

        Ratio times(Ratio other) {
            return new Ratio(num.multiply(other.num), den.multiply(other.den));
        }

        Ratio over(Ratio other) {
            Ratio flipped = new Ratio(num.multiply(other.den), den.multiply(other.num));
            return flipped.den.signum() < 0 ? new Ratio(flipped.num.negate(), flipped.den.negate()) : flipped;
        }

        @Override
        public int compareTo(Ratio other) {
            return num.multiply(other.den).compareTo(other.num.multiply(den));
        }

        /** Rounded half even. */
        BigInteger inMillionths() {
            BigInteger[] halves = num.multiply(BigInteger.valueOf(2_000_000)).divideAndRemainder(den);
            BigInteger floorOfDouble = halves[1].signum() < 0 ? halves[0].subtract(BigInteger.ONE) : halves[0];
            boolean exact = halves[1].signum() == 0;
            BigInteger down = floorOfDouble.shiftRight(1);
            boolean isHalfOrMore = floorOfDouble.testBit(0);
            boolean isTie = isHalfOrMore && exact;
            return isHalfOrMore && (!isTie || down.testBit(0)) ? down.add(BigInteger.ONE) : down;
        }
    }
}
