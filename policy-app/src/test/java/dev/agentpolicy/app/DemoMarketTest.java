package dev.agentpolicy.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agentpolicy.app.DemoMarket.Walk;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.PaperBook;
import dev.agentpolicy.domain.custodian.PaperMarket;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.port.InMemoryPaperBooks;
import dev.agentpolicy.domain.port.InMemoryStore;
import dev.agentpolicy.domain.port.InMemorySyncSchedule;
import dev.agentpolicy.domain.port.JdkSigner;
import dev.agentpolicy.domain.port.SettableClock;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.FanOut;
import dev.agentpolicy.domain.usecase.custodian.PaperCustodian;
import dev.agentpolicy.domain.usecase.custodian.SyncCustodian;
import dev.agentpolicy.domain.usecase.custodian.SyncTimes;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DemoMarketTest {
    private static final UserId USER = new UserId(new UUID(1, 2));
    private static final AssetSymbol BTC = new AssetSymbol("BTC");
    private static final AssetSymbol ETH = new AssetSymbol("ETH");
    private static final AssetSymbol TINY = new AssetSymbol("TINY");
    private static final int MOVES_OF_A_DAY = 17_280;

    private final SettableClock clock = new SettableClock(Instant.parse("2026-11-21T12:00:00Z"));
    private final InMemoryPaperBooks books = new InMemoryPaperBooks();
    private final InMemoryStore store = new InMemoryStore(clock, new JdkSigner());
    private final PaperCustodian paper = new PaperCustodian(books, clock);
    private final SyncCustodian sync = new SyncCustodian(
            store,
            paper,
            store.brokerAccounts(),
            new InMemorySyncSchedule(),
            new SyncTimes(Duration.ofMinutes(1), Duration.ofMinutes(15)),
            new FanOut(Runnable::run));
    private final DemoMarket market = new DemoMarket(books, sync, () -> true);

    @AfterEach
    void close() {
        market.close();
    }

    private void hold() {
        Position btc = new Position(BTC, AssetType.CRYPTO, BigDecimal.ONE, Usd.of(50_000));
        CustodianHoldings holdings = new CustodianHoldings(
                "paper", "Paper", CustodianKind.PAPER, clock.instant(), 1, Usd.of(1_000), List.of(btc));
        Map<AssetSymbol, Usd> prices = Map.of(ETH, Usd.of(2_500), TINY, Usd.of("0.00000001"));
        paper.replace(USER, new PaperSetup(holdings, prices, PaperMarket.OPEN));
    }

    @Test
    void prices_move_and_the_portfolio_follows() {
        hold();

        market.move();
        Portfolio before = store.view(USER).portfolio();
        market.move();

        Portfolio after = store.view(USER).portfolio();
        assertThat(before.custodians().get(0).positions().get(0).price()).isEqualTo(Usd.of(50_000));
        Position moved = after.custodians().get(0).positions().get(0);
        assertThat(moved.price()).isNotEqualTo(Usd.of(50_000));
        assertThat(moved.quantity()).isEqualByComparingTo("1");
        assertThat(after.revision()).isEqualTo(before.revision() + 1);
        PaperBook book = books.book(USER, "paper");
        assertThat(book.prices().get(ETH)).isNotEqualTo(Usd.of(2_500));
        assertThat(book.cash()).isEqualTo(Usd.of(1_000));
    }

    @Test
    void an_asset_never_loses_its_price() {
        hold();

        for (int i = 0; i < 200; i++) {
            market.move();
        }

        assertThat(books.book(USER, "paper").prices().get(TINY)).isEqualTo(Usd.of("0.00000001"));
    }

    @Test
    void a_price_stays_within_its_range_and_goes_both_ways() {
        assertThat(levels(BTC, AssetType.CRYPTO))
                .allSatisfy(level -> assertThat(level).isBetween(0.7999, 1.2001));
        assertThat(levels(new AssetSymbol("SPY"), AssetType.TRADFI))
                .allSatisfy(level -> assertThat(level).isBetween(0.9399, 1.0601));
        assertThat(levels(BTC, AssetType.CRYPTO))
                .anyMatch(level -> level < 0.99)
                .anyMatch(level -> level > 1.01);
    }

    @Test
    void the_same_asset_moves_alike_at_every_start_and_another_one_does_not() {
        assertThat(levels(BTC, AssetType.CRYPTO)).isEqualTo(levels(BTC, AssetType.CRYPTO));
        assertThat(levels(BTC, AssetType.CRYPTO)).isNotEqualTo(levels(ETH, AssetType.CRYPTO));
        assertThat(Walk.of(BTC, AssetType.CRYPTO).next(100).doubleValue())
                .as("a hundred moves at once")
                .isCloseTo(levels(BTC, AssetType.CRYPTO).get(99), within(1e-9));
    }

    /** Where an asset is after each move of a day, as a part of where it began. */
    private static List<Double> levels(AssetSymbol symbol, AssetType type) {
        Walk walk = Walk.of(symbol, type);
        List<Double> levels = new ArrayList<>();
        double level = 1;
        for (int i = 0; i < MOVES_OF_A_DAY; i++) {
            level *= walk.next(1).doubleValue();
            levels.add(level);
        }
        return levels;
    }
}
