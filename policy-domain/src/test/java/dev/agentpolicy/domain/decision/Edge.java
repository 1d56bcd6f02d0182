package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.decision.RandomCase.Standing;
import java.math.BigInteger;
import java.time.ZoneId;
import java.util.function.Predicate;

/**
 * Finds comparisons of the rules that are exactly equal, or differ by the last decimal a number may have. Computes with
 * whole numbers.
 */
enum Edge {
    CRYPTO_MAX(it -> it.crypto && it.buy && isAt(arriving(it, it.cryptoValue), it.cryptoBand[2], it)),
    TRADFI_MAX(it -> !it.crypto && it.buy && isAt(arriving(it, it.tradfiValue), it.tradfiBand[2], it)),
    CRYPTO_MIN(it -> it.crypto && !it.buy && isAt(fine(it.cryptoValue - it.amount), it.cryptoBand[0], it)),
    TRADFI_MIN(it -> !it.crypto && !it.buy && isAt(fine(it.tradfiValue - it.amount), it.tradfiBand[0], it)),
    CASH_FLOOR(it -> it.buy && it.amount > 0 && isAt(fine(it.cash - it.amount), it.cashFloor, it)),
    ALL_THE_CASH(it -> it.buy && it.amount > 0 && it.amount == it.cash),
    DRAWDOWN_AFTER(
            it -> it.amount > 0 && it.slippageOrNone().signum() > 0 && isAtDrawdown(it.peak, totalAfter(it), it)),
    DRAWDOWN_BEFORE(it -> isAtDrawdown(it.peak, fine(total(it)), it)),
    A_HAIR_BEYOND_DRAWDOWN(it -> isAtDrawdown(it.peak.subtract(BigInteger.ONE), fine(total(it)), it)),
    SLIPPAGE(it -> it.maxSlippage > 0 && it.slippageOrNone().equals(slippageLimit(it))),
    A_HAIR_BEYOND_SLIPPAGE(it -> it.slippageOrNone().subtract(BigInteger.ONE).equals(slippageLimit(it))),
    AUM_CAP(it -> it.buy && it.amount > 0 && it.aumCap == it.usedAum + it.amount),
    DAILY_USD(it -> it.amount > 0 && it.usdCap == it.usedUsd + it.amount),
    DAILY_CALLS(it -> it.callCap == it.usedCalls + 1),
    ALL_THAT_IS_HELD(it -> !it.buy && it.amount > 0 && it.held == it.amount),
    STANDING_AMOUNT(it -> it.amount > 0 && it.rules.stream().anyMatch(rule -> rule.above() == it.amount)),
    FIRST_HOUR(it -> it.rules.stream().anyMatch(rule -> rule.start() == hour(it, rule))),
    HOUR_AFTER_THE_LAST(it -> it.rules.stream().anyMatch(rule -> rule.start() >= 0 && rule.end() == hour(it, rule)));

    private static final BigInteger FINE = BigInteger.TEN.pow(20);
    private static final BigInteger FINE_PEAK = FINE.divide(RandomCase.PEAK_IN_A_UNIT);
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

    /** {@code 1 - total / peak = maxDrawdown}, the total in fine units. */
    private static boolean isAtDrawdown(BigInteger peak, BigInteger total, RandomCase it) {
        BigInteger fine = peak.multiply(FINE_PEAK);
        return fine.subtract(total).multiply(whole()).equals(fine.multiply(n(it.maxDrawdown)));
    }

    private static BigInteger slippageLimit(RandomCase it) {
        return n(it.maxSlippage).multiply(RandomCase.SLIPPAGE_IN_A_MILLIONTH);
    }

    private static BigInteger arriving(RandomCase it, long sleeve) {
        return fine(sleeve).add(n(it.amount).multiply(FINE.subtract(it.slippageOrNone())));
    }

    private static BigInteger totalAfter(RandomCase it) {
        return fine(total(it)).subtract(n(it.amount).multiply(it.slippageOrNone()));
    }

    private static long total(RandomCase it) {
        return it.cryptoValue + it.tradfiValue + it.cash;
    }

    private static int hour(RandomCase it, Standing rule) {
        return it.now.atZone(ZoneId.of(rule.tz())).getHour();
    }

    private static BigInteger fine(long units) {
        return n(units).multiply(FINE);
    }

    private static BigInteger whole() {
        return n(RandomCase.WHOLE);
    }

    private static BigInteger n(long number) {
        return BigInteger.valueOf(number);
    }
}
