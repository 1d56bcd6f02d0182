package dev.agentpolicy.adapter.jdbc.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.adapter.jdbc.cache.RevisionCache.HeapWeight;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.KeyType;
import dev.agentpolicy.domain.agent.Scope;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.ips.AssetAuthority;
import dev.agentpolicy.domain.ips.AssetAuthority.Level;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.ips.StandingRule;
import dev.agentpolicy.domain.port.StoreSamples;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.DayHighs;
import dev.agentpolicy.domain.portfolio.DayHighs.DayHigh;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.portfolio.SyncHistory;
import dev.agentpolicy.domain.portfolio.SyncHistory.SyncTotal;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the caches think their values weigh is what they take, or more. */
class HeapWeightTest {
    private static final int MANY = 100;
    private static final int POSITIONS = 500;
    private static final int ASSETS = 200;
    private static final int RULES = 50;
    private static final String LONG = "-A-TICKER-OF-ALL-THIRTY-TWO";

    @Test
    void a_portfolio_weighs_no_more_than_it_is_taken_for() {
        holds(HeapWeightTest::portfolio, HeapWeight::of);
    }

    @Test
    void the_syncs_that_a_peak_waits_for_weigh_no_more_than_they_are_taken_for() {
        holds(number -> synced(portfolio(number)), HeapWeight::of);
    }

    @Test
    void a_statement_weighs_no_more_than_it_is_taken_for() {
        holds(HeapWeightTest::statement, HeapWeight::of);
    }

    @Test
    void a_key_weighs_no_more_than_it_is_taken_for() {
        holds(HeapWeightTest::key, HeapWeight::of);
    }

    /** Filling the heap with holdings: each replaced 830 times, of 500 positions, is 200 MB if all of them stay. */
    @Test
    void replaced_holdings_of_one_user_are_forgotten_and_those_of_many_are_bounded() {
        long most = 4_000_000;
        RevisionCache.Newest<Portfolio> newest = new RevisionCache.Newest<>(most, HeapWeight::of);
        UserId user = StoreSamples.user();

        for (int i = 1; i <= 830; i++) {
            newest.keep(user, i, portfolio(i));
        }
        assertThat(newest.bytes()).isBetween(POSITIONS * 300L, POSITIONS * 1_000L);
        assertThat(newest.find(user, 829)).isNull();
        assertThat(newest.find(user, 830)).isNotNull();
        newest.keep(user, 829, portfolio(829));
        assertThat(newest.find(user, 830)).isNotNull();

        for (int i = 1; i <= MANY; i++) {
            newest.keep(StoreSamples.user(), 1, portfolio(i));
        }
        assertThat(newest.bytes()).isLessThanOrEqualTo(most);
    }

    private static <T> void holds(IntFunction<T> making, ToIntFunction<T> weight) {
        Object[] kept = new Object[MANY];
        making.apply(0);
        long before = used();
        long weighed = 0;
        for (int i = 0; i < MANY; i++) {
            T made = making.apply(i);
            kept[i] = made;
            weighed += weight.applyAsInt(made);
        }
        long taken = used() - before;

        assertThat(Arrays.stream(kept)).doesNotContainNull();
        assertThat(taken).as("of " + weighed).isPositive().isLessThanOrEqualTo(weighed);
        assertThat(weighed).as("for " + taken).isLessThan(4 * taken);
    }

    private static long used() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    private static Portfolio portfolio(int number) {
        List<Position> positions = IntStream.range(0, POSITIONS)
                .mapToObj(i -> new Position(
                        symbol(i),
                        AssetType.CRYPTO,
                        new BigDecimal("999999999999999.12345678901234" + (1_000 + i)),
                        Usd.of("99999999999.1234" + (1_000 + i))))
                .toList();
        CustodianHoldings holdings = new CustodianHoldings(
                "broker" + number,
                "Broker " + number,
                CustodianHoldings.CustodianKind.PAPER,
                StoreSamples.START.plusSeconds(number),
                number,
                Usd.of(number),
                positions);
        return new Portfolio(number, List.of(holdings), Usd.of(number), StoreSamples.START.plusSeconds(number));
    }

    /** The portfolio, in which no price is that of the syncs before. */
    private static Portfolio synced(Portfolio it) {
        CustodianHoldings holdings = it.custodians().get(0);
        Map<SyncHistory.HeldAt, SyncHistory.EarlierPrices> earlier = new HashMap<>();
        holdings.positions()
                .forEach(position -> earlier.put(
                        new SyncHistory.HeldAt(holdings.id(), position.symbol(), position.assetType()),
                        new SyncHistory.EarlierPrices(
                                position.price().plus(Usd.of(1)),
                                position.price().plus(Usd.of(2)))));
        List<SyncTotal> totals = IntStream.range(0, POSITIONS)
                .mapToObj(i -> new SyncTotal(
                        holdings.id(), it.asOf().plusSeconds(i), Usd.of("99999999999.123456789" + (1_000 + i))))
                .toList();
        List<DayHigh> highs = IntStream.range(0, 30)
                .mapToObj(i -> new DayHigh(LocalDate.EPOCH.plusDays(i), Usd.of("99999999999.123456789" + i)))
                .toList();
        return new Portfolio(
                it.revision(),
                it.custodians(),
                it.peak(),
                it.asOf(),
                1,
                new SyncHistory(totals, earlier),
                new DayHighs(highs));
    }

    private static IpsVersion statement(int number) {
        Ips plain = StoreSamples.ips("0.05");
        Map<AssetSymbol, Level> levels = new TreeMap<>();
        IntStream.range(0, ASSETS).forEach(i -> levels.put(symbol(i), Level.MONITOR));
        List<StandingRule> rules = IntStream.range(0, RULES)
                .mapToObj(i -> new StandingRule(
                        "rule-" + number + "-" + i,
                        StandingRule.Effect.BLOCK,
                        "For the reason numbered " + i,
                        new StandingRule.When(null, null, Set.of(symbol(i), symbol(i + 1)), Usd.of(i), null, null)))
                .toList();
        return new IpsVersion(
                number,
                plain.withAssetAuthority(new AssetAuthority(Level.FULL, levels)).withStandingRules(rules),
                StoreSamples.START.plusSeconds(number));
    }

    private static AgentKey key(int number) {
        Set<AssetSymbol> assets =
                IntStream.range(0, ASSETS).mapToObj(HeapWeightTest::symbol).collect(Collectors.toSet());
        return new AgentKey(
                new AgentKeyId(UUID.randomUUID()),
                StoreSamples.user(),
                "Robot " + number,
                KeyType.LIVE,
                Set.of(Scope.READ, Scope.PROPOSE),
                new KeyPolicy(number, Usd.of("5000.5"), Usd.of("6000.5"), assets, Set.of(AssetType.CRYPTO)),
                StoreSamples.hash(),
                "0a" + number,
                StoreSamples.START.plusSeconds(number),
                StoreSamples.START.plusSeconds(2L * number),
                null,
                null,
                List.of(),
                null);
    }

    private static AssetSymbol symbol(int number) {
        return new AssetSymbol(number + LONG);
    }
}
