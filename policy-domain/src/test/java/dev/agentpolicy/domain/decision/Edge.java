package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.decision.RandomCase.Standing;
import java.math.BigInteger;
import java.time.ZoneId;
import java.util.function.Predicate;

/** Where a comparison of the rules is exactly equal, read off a case in whole numbers. */
enum Edge {
    CRYPTO_MAX(it -> it.crypto && it.buy && isAt(arriving(it, it.cryptoValue), it.cryptoBand[2], it)),
    TRADFI_MAX(it -> !it.crypto && it.buy && isAt(arriving(it, it.tradfiValue), it.tradfiBand[2], it)),
    CRYPTO_MIN(it -> it.crypto && !it.buy && isAt(fine(it.cryptoValue - it.amount), it.cryptoBand[0], it)),
    TRADFI_MIN(it -> !it.crypto && !it.buy && isAt(fine(it.tradfiValue - it.amount), it.tradfiBand[0], it)),
    CASH_FLOOR(it -> it.buy && it.amount > 0 && isAt(fine(it.cash - it.amount), it.cashFloor, it)),
    ALL_THE_CASH(it -> it.buy && it.amount > 0 && it.amount == it.cash),
    DRAWDOWN_AFTER(it -> it.amount > 0
            && it.slippage > 0
            && fine(it.peak)
                    .subtract(totalAfter(it))
                    .multiply(whole())
                    .equals(fine(it.peak).multiply(n(it.maxDrawdown)))),
    DRAWDOWN_BEFORE(
            it -> n(it.peak - total(it)).multiply(whole()).equals(n(it.peak).multiply(n(it.maxDrawdown)))),
    SLIPPAGE(it -> it.slippage > 0 && it.slippage == it.maxSlippage * 100),
    AUM_CAP(it -> it.buy && it.amount > 0 && it.aumCap == it.usedAum + it.amount),
    DAILY_USD(it -> it.amount > 0 && it.usdCap == it.usedUsd + it.amount),
    DAILY_CALLS(it -> it.callCap == it.usedCalls + 1),
    ALL_THAT_IS_HELD(it -> !it.buy && it.amount > 0 && it.held == it.amount),
    STANDING_AMOUNT(it -> it.amount > 0 && it.rules.stream().anyMatch(rule -> rule.above() == it.amount)),
    FIRST_HOUR(it -> it.rules.stream().anyMatch(rule -> rule.start() == hour(it, rule))),
    HOUR_AFTER_THE_LAST(it -> it.rules.stream().anyMatch(rule -> rule.start() >= 0 && rule.end() == hour(it, rule)));

    private static final long FINE = 100_000_000L;
    private final Predicate<RandomCase> equal;

    Edge(Predicate<RandomCase> equal) {
        this.equal = equal;
    }

    boolean isMetBy(RandomCase it) {
        return it.hasIps && it.hasSnapshot && total(it) > 0 && equal.test(it);
    }

    /** {@code part = limit * total after}, the part in the fine units of {@link #fine}. */
    private static boolean isAt(BigInteger part, long limit, RandomCase it) {
        return limit > 0 && it.amount > 0 && part.multiply(whole()).equals(n(limit).multiply(totalAfter(it)));
    }

    private static BigInteger arriving(RandomCase it, long sleeve) {
        return fine(sleeve).add(n(it.amount).multiply(n(FINE - Math.max(0, it.slippage))));
    }

    private static BigInteger totalAfter(RandomCase it) {
        return fine(total(it)).subtract(n(it.amount).multiply(n(Math.max(0, it.slippage))));
    }

    private static long total(RandomCase it) {
        return it.cryptoValue + it.tradfiValue + it.cash;
    }

    private static int hour(RandomCase it, Standing rule) {
        return it.now.atZone(ZoneId.of(rule.tz())).getHour();
    }

    private static BigInteger fine(long units) {
        return n(units).multiply(n(FINE));
    }

    private static BigInteger whole() {
        return n(RandomCase.WHOLE);
    }

    private static BigInteger n(long number) {
        return BigInteger.valueOf(number);
    }
}
