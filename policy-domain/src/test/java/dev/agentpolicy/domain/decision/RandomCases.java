package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.decision.RandomCase.Standing;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Draws decisions to be made, most of them near a limit. */
final class RandomCases {
    /** Beyond, a peak is no number of this generator any more; a limit next to all of it asks for such ones. */
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE / 8);

    private static final String[] SYMBOLS = {"BTC", "ETH", "SPY"};
    private static final String[] LEVELS = {"full", "full", "protect", "monitor"};
    private static final String[] ZONES = {"UTC", "America/New_York", "Asia/Kolkata", "Pacific/Apia"};
    private static final long LAST_DAY = Instant.parse("2027-12-31T00:00:00Z").getEpochSecond();

    private RandomCases() {}

    static RandomCase draw(Random random) {
        RandomCase it = new RandomCase();
        portfolio(it, random);
        ips(it, random);
        trade(it, random);
        key(it, random);
        it.held = random.nextInt(3) == 0 ? near(random, it.amount) : -1;
        it.now = Instant.ofEpochSecond(random.nextLong(LAST_DAY - 70_000_000, LAST_DAY));
        for (int i = random.nextInt(3); i > 0; i--) {
            it.rules.add(standing("r" + i, it, random));
        }
        it.peak = peak(it, random);
        return it;
    }

    private static void portfolio(RandomCase it, Random random) {
        it.hasSnapshot = random.nextInt(20) > 0;
        it.cryptoValue = money(random);
        it.tradfiValue = money(random);
        it.cash = money(random);
        if (random.nextInt(50) == 0) {
            it.cryptoValue = it.tradfiValue = it.cash = 0;
        }
    }

    private static void ips(RandomCase it, Random random) {
        it.hasIps = random.nextInt(20) > 0;
        it.cryptoBand = band(random);
        it.tradfiBand = band(random);
        it.cashFloor = fraction(random, 200_000);
        it.maxDrawdown = random.nextBoolean() ? random.nextInt(10) * 100_000L : fraction(random, 1_000_000);
        it.maxSlippage = fraction(random, 30_000);
        it.buyAllowed = random.nextInt(8) > 0;
        it.sellAllowed = random.nextInt(8) > 0;
        it.standardLevel = LEVELS[random.nextInt(2)];
        it.levels = Map.of(SYMBOLS[random.nextInt(3)], LEVELS[random.nextInt(4)]);
    }

    private static void trade(RandomCase it, Random random) {
        it.buy = random.nextBoolean();
        it.crypto = random.nextBoolean();
        it.symbol = SYMBOLS[random.nextInt(3)];
        it.slippage = switch (random.nextInt(6)) {
            case 0 -> random.nextInt(3_000_000);
            case 1 -> near(random, it.maxSlippage * 100);
            case 2 -> random.nextInt(10) == 0 ? 100_000_000 : 0;
            default -> -1;
        };
        it.amount = amount(it, random);
    }

    /** Often the amount that meets a limit exactly when there is no slippage, or one unit beside it. */
    private static long amount(RandomCase it, Random random) {
        long total = it.cryptoValue + it.tradfiValue + it.cash;
        long sleeve = it.crypto ? it.cryptoValue : it.tradfiValue;
        long[] band = it.crypto ? it.cryptoBand : it.tradfiBand;
        long exact = switch (random.nextInt(7)) {
            case 0 -> 0;
            case 1 -> it.cash;
            case 2 -> it.cash - of(it.cashFloor, total);
            case 3 -> of(band[2], total) - sleeve;
            case 4 -> sleeve - of(band[0], total);
            case 5 -> total;
            default -> money(random);
        };
        return near(random, exact);
    }

    private static void key(RandomCase it, Random random) {
        it.usedCalls = random.nextInt(5);
        it.usedUsd = money(random);
        it.usedAum = money(random);
        it.callCap = random.nextInt(4) == 0 ? random.nextInt(7) : -1;
        it.usdCap = random.nextInt(4) == 0 ? near(random, it.usedUsd + it.amount) : -1;
        it.aumCap = random.nextInt(4) == 0 ? near(random, it.usedAum + it.amount) : -1;
        it.keyAssets = random.nextInt(6) == 0 ? Set.of(SYMBOLS[random.nextInt(3)]) : null;
        it.keySleeve = random.nextInt(6) == 0 ? random.nextBoolean() ? "crypto" : "tradfi" : null;
    }

    private static Standing standing(String id, RandomCase it, Random random) {
        int start = random.nextInt(3) == 0 ? random.nextInt(24) : -1;
        return new Standing(
                id,
                random.nextBoolean(),
                random.nextInt(3) == 0 ? random.nextBoolean() ? "buy" : "sell" : null,
                random.nextInt(3) == 0 ? SYMBOLS[random.nextInt(3)] : null,
                random.nextInt(3) == 0 ? near(random, it.amount) : -1,
                start,
                start < 0 ? -1 : (start + 1 + random.nextInt(24)) % 25,
                ZONES[random.nextInt(ZONES.length)]);
    }

    /** Often the peak at which the total is exactly at the drawdown limit, before or after the trade. */
    private static long peak(RandomCase it, Random random) {
        long total = it.cryptoValue + it.tradfiValue + it.cash;
        long lost = it.slippage < 0 ? 0 : it.amount / 100_000_000 * it.slippage;
        long after = random.nextBoolean() ? total : total - lost;
        if (random.nextInt(3) == 0 || it.maxDrawdown == RandomCase.WHOLE) {
            return total + money(random) / 4;
        }
        long atLimit = BigInteger.valueOf(Math.max(0, after))
                .multiply(BigInteger.valueOf(RandomCase.WHOLE))
                .divide(BigInteger.valueOf(RandomCase.WHOLE - it.maxDrawdown))
                .min(MOST)
                .longValue();
        return Math.max(total, near(random, atLimit));
    }

    private static long[] band(Random random) {
        long[] edges = {fraction(random, 1_000_000), fraction(random, 1_000_000), fraction(random, 1_000_000)};
        Arrays.sort(edges);
        return edges;
    }

    private static long fraction(Random random, int below) {
        return random.nextBoolean() ? random.nextInt(below / 10_000 + 1) * 10_000L : random.nextInt(below + 1);
    }

    private static long money(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> random.nextLong(1_000_000 * RandomCase.USD);
            default -> random.nextInt(1_000) * 100 * RandomCase.USD;
        };
    }

    private static long near(Random random, long exact) {
        return Math.max(0, exact + random.nextInt(3) - 1);
    }

    private static long of(long millionths, long amount) {
        return BigInteger.valueOf(millionths)
                .multiply(BigInteger.valueOf(amount))
                .divide(BigInteger.valueOf(RandomCase.WHOLE))
                .longValueExact();
    }
}
