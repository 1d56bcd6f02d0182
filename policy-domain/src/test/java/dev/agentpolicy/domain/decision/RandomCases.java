package dev.agentpolicy.domain.decision;

import dev.agentpolicy.domain.decision.RandomCase.Bound;
import dev.agentpolicy.domain.decision.RandomCase.Standing;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/** Generates random cases, most of them near a limit. */
final class RandomCases {
    private static final BigInteger SLIPPAGE_OF_ALL =
            BigInteger.valueOf(RandomCase.WHOLE).multiply(RandomCase.SLIPPAGE_IN_A_MILLIONTH);
    private static final BigInteger MILLIONTH_OF_A_PERCENT = BigInteger.TEN.pow(12);
    private static final String[] SYMBOLS = ListCondition.SYMBOLS.words();
    private static final String[] TAILS = {
        "-USD", "/USDT", "_usdc", ".USD", ".", "-/", "USD", "USDT", "-USDX", "X", "EUR", "/BTC", "-PERP", "240628", "M"
    };
    private static final String[] KINDS = {"position", "flow", "loss"};
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
        asset(it, random);
        it.held = random.nextInt(3) == 0 ? near(random, it.amount) : -1;
        it.now = Instant.ofEpochSecond(random.nextLong(LAST_DAY - 70_000_000, LAST_DAY));
        for (int i = random.nextInt(3); i > 0; i--) {
            it.rules.add(standing("r" + i, it, random));
        }
        it.peak = peak(it, random);
        for (int i = random.nextInt(4) - 1; i > 0; i--) {
            it.limits.add(bound("l" + i, it, random));
        }
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
        it.symbol = SYMBOLS[random.nextInt(SYMBOLS.length)];
        it.slippage = switch (random.nextInt(6)) {
            case 0 ->
                BigInteger.valueOf(random.nextInt(3_000_000))
                        .multiply(MILLIONTH_OF_A_PERCENT)
                        .add(random.nextBoolean() ? rest(random, MILLIONTH_OF_A_PERCENT) : BigInteger.ZERO);
            case 1 -> near(random, whole(it.maxSlippage).multiply(RandomCase.SLIPPAGE_IN_A_MILLIONTH));
            case 2 -> random.nextInt(10) == 0 ? SLIPPAGE_OF_ALL : BigInteger.ZERO;
            default -> null;
        };
        it.amount = amount(it, random);
    }

    /** Usually an asset that is held in the sleeve of the call; else any combination. */
    private static void asset(RandomCase it, Random random) {
        boolean isPlain = random.nextInt(8) > 0;
        it.sent = isPlain && random.nextInt(4) > 0 ? it.symbol : spelled(it.symbol, random);
        it.heldAs = isPlain ? said(it) : known(random);
        it.listedAs = known(random);
        it.blocksUnknown = random.nextBoolean();
    }

    private static String said(RandomCase it) {
        return it.crypto ? "crypto" : "tradfi";
    }

    private static String known(Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> "crypto";
            case 1 -> "tradfi";
            default -> null;
        };
    }

    /** The symbol or its alias, often with something before or behind it, in upper or lower case. */
    private static String spelled(String symbol, Random random) {
        String alias = ReferenceAsset.ALIASES.getOrDefault(symbol, symbol);
        StringBuilder spelled = new StringBuilder(random.nextInt(3) == 0 ? alias : symbol);
        if (random.nextInt(8) == 0) {
            spelled.insert(0, "-.");
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            spelled.append(TAILS[random.nextInt(TAILS.length)]);
        }
        return random.nextInt(3) == 0 ? spelled.toString().toLowerCase(Locale.ROOT) : spelled.toString();
    }

    /** Often the amount that meets a limit exactly without slippage, or one unit more or less. */
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
        it.keyAssets = random.nextInt(6) == 0 ? some(ListCondition.SYMBOLS, random) : null;
        it.keySleeves = random.nextInt(6) == 0 ? some(ListCondition.ASSET_TYPES, random) : null;
    }

    private static Standing standing(String id, RandomCase it, Random random) {
        Map<ListCondition, Set<String>> lists = new EnumMap<>(ListCondition.class);
        for (ListCondition list : ListCondition.values()) {
            if (random.nextInt(3) == 0) {
                lists.put(list, some(list, random));
            }
        }
        int start = random.nextInt(3) == 0 ? random.nextInt(24) : -1;
        return new Standing(
                id,
                random.nextBoolean(),
                lists,
                random.nextInt(3) == 0 ? near(random, it.amount) : -1,
                start,
                start < 0 ? -1 : (start + 1 + random.nextInt(24)) % 25,
                ZONES[random.nextInt(ZONES.length)]);
    }

    /** Often a limit that the trade meets exactly without slippage, or misses by one unit. */
    static Bound bound(String id, RandomCase it, Random random) {
        String kind = KINDS[random.nextInt(KINDS.length)];
        Map<ListCondition, Set<String>> lists = new EnumMap<>(ListCondition.class);
        for (ListCondition list : List.of(ListCondition.ACTIONS, ListCondition.ASSET_TYPES, ListCondition.SYMBOLS)) {
            if (random.nextInt(4) == 0 && !(kind.equals("position") && list == ListCondition.ACTIONS)) {
                lists.put(list, some(list, random));
            }
        }
        long total = it.cryptoValue + it.tradfiValue + it.cash;
        long max = random.nextInt(12) == 0 ? RandomCase.WHOLE : fraction(random, 1_000_000);
        boolean isFlow = kind.equals("flow");
        long used = isFlow ? money(random) : near(random, of(max, total) - it.amount);
        BigInteger whole = whole(total).multiply(RandomCase.PEAK_IN_A_UNIT);
        BigInteger atLimit = max == RandomCase.WHOLE
                ? whole
                : whole.multiply(whole(RandomCase.WHOLE)).divide(whole(RandomCase.WHOLE - max));
        return new Bound(
                id,
                kind,
                random.nextBoolean(),
                lists,
                isFlow ? -1 : max,
                isFlow && random.nextInt(3) > 0 ? near(random, used + it.amount) : -1,
                isFlow ? 1 + random.nextInt(4) : -1,
                used,
                random.nextInt(4),
                whole.max(
                        random.nextInt(4) == 0
                                ? rest(random, whole.add(whole).add(BigInteger.ONE))
                                : near(random, atLimit)));
    }

    /** Usually one or several, sometimes none. */
    private static Set<String> some(ListCondition list, Random random) {
        String[] words = list.words();
        Set<String> some = new TreeSet<>();
        if (random.nextInt(8) > 0) {
            some.add(words[random.nextInt(words.length)]);
            for (String word : words) {
                if (random.nextInt(3) == 0) {
                    some.add(word);
                }
            }
        }
        return some;
    }

    /**
     * Often the peak at which the total is exactly at the drawdown limit, before or after the trade. Sometimes it is below
     * the total, where a broker's syncs have not confirmed the total yet.
     */
    private static BigInteger peak(RandomCase it, Random random) {
        BigInteger total = whole(it.cryptoValue + it.tradfiValue + it.cash).multiply(RandomCase.PEAK_IN_A_UNIT);
        BigInteger lost = whole(it.amount)
                .multiply(it.slippageOrNone())
                .multiply(RandomCase.PEAK_IN_A_UNIT)
                .divide(SLIPPAGE_OF_ALL);
        BigInteger after = random.nextBoolean() ? total : total.subtract(lost);
        if (random.nextInt(3) == 0 || it.maxDrawdown == RandomCase.WHOLE) {
            return total.add(rest(random, whole(1 + money(random)).multiply(RandomCase.PEAK_IN_A_UNIT)));
        }
        BigInteger atLimit = after.max(BigInteger.ZERO)
                .multiply(whole(RandomCase.WHOLE))
                .divide(whole(RandomCase.WHOLE - it.maxDrawdown));
        if (random.nextInt(8) == 0) {
            return rest(random, total.add(BigInteger.ONE));
        }
        return total.max(near(random, atLimit));
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

    private static BigInteger near(Random random, BigInteger exact) {
        return exact.add(whole(random.nextInt(3) - 1)).max(BigInteger.ZERO);
    }

    /** Any number from 0 to below another. */
    private static BigInteger rest(Random random, BigInteger below) {
        return new BigInteger(below.bitLength(), random).mod(below);
    }

    private static BigInteger whole(long number) {
        return BigInteger.valueOf(number);
    }

    private static long of(long millionths, long amount) {
        return BigInteger.valueOf(millionths)
                .multiply(BigInteger.valueOf(amount))
                .divide(BigInteger.valueOf(RandomCase.WHOLE))
                .longValueExact();
    }
}
