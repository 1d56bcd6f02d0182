package dev.agentpolicy.domain.portfolio;

import static dev.agentpolicy.domain.sample.SampleValues.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.Seeded;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PortfolioTest {
    private static final BigDecimal TINY = new BigDecimal("0.000001");

    @Test
    void a_snapshot_sums_sleeves_and_cash_over_all_custodians() {
        Portfolio portfolio = first("one", 1000, "BTC crypto 2 100", "SPY tradfi 10 50")
                .with(holdings("two", 500, "BTC crypto 1 110", "AGG tradfi 3 0.5"), NOON);

        Snapshot snapshot = portfolio.snapshot().orElseThrow();

        assertThat(snapshot.crypto()).isEqualTo(Usd.of(310));
        assertThat(snapshot.tradfi()).isEqualTo(Usd.of("501.5"));
        assertThat(snapshot.cash()).isEqualTo(Usd.of(1500));
        assertThat(snapshot.total()).isEqualTo(portfolio.total()).isEqualTo(Usd.of("2311.5"));
        assertThat(snapshot.share(AssetType.CRYPTO).rounded()).isEqualTo(Fraction.of("0.134112"));
        assertThat(snapshot.cashShare().rounded()).isEqualTo(Fraction.of("0.648929"));
        assertThat(snapshot.date()).isEqualTo(NOON);
        assertThat(portfolio.revision()).isEqualTo(2);
    }

    @Test
    void the_value_held_is_that_of_one_symbol_in_one_sleeve_at_the_price_of_each_custodian() {
        Portfolio portfolio = first("one", 0, "BTC crypto 2 100", "BTC tradfi 7 10")
                .with(holdings("two", 0, "BTC crypto 1 110"), NOON);

        assertThat(portfolio.held(new AssetSymbol("btc"), AssetType.CRYPTO)).isEqualTo(Usd.of(310));
        assertThat(portfolio.held(new AssetSymbol("btc"), AssetType.TRADFI)).isEqualTo(Usd.of(70));
        assertThat(portfolio.held(new AssetSymbol("ETH"), AssetType.CRYPTO)).isEqualTo(Usd.ZERO);
    }

    @Test
    void a_portfolio_worth_nothing_has_no_snapshot() {
        assertThat(first("one", 0).snapshot()).isEmpty();
        assertThat(first("one", 0, "BTC crypto 5 0").snapshot()).isEmpty();
        assertThat(first("one", 0, "BTC crypto 5 0.00000001").snapshot()).isPresent();
    }

    @Test
    void only_a_later_revision_of_a_known_custodian_is_new() {
        CustodianHoldings one = holdings("one", 100);
        Portfolio portfolio = Portfolio.first(revised(one, 5), NOON);

        assertThat(portfolio.isNews(revised(one, 4))).isFalse();
        assertThat(portfolio.isNews(revised(one, 5))).isFalse();
        assertThat(portfolio.isNews(revised(one, 6))).isTrue();
        assertThat(portfolio.isNews(holdings("two", 100))).isTrue();
    }

    @Test
    void the_peak_starts_at_the_first_total() {
        Portfolio portfolio = first("one", 1000, "BTC crypto 2 100");

        assertThat(portfolio.peak()).isEqualTo(Usd.of(1200));
        assertThat(portfolio.snapshot().orElseThrow().currentDrawdown()).isEqualTo(Fraction.ZERO);
    }

    @Test
    void prices_move_the_drawdown() {
        Portfolio fallen = first("one", 0, "BTC crypto 10 100").with(holdings("one", 0, "BTC crypto 10 80"), NOON);
        Portfolio risen = fallen.with(holdings("one", 0, "BTC crypto 10 120"), NOON);

        assertThat(fallen.peak()).isEqualTo(Usd.of(1000));
        assertThat(drawdown(fallen)).isEqualTo(Fraction.of("0.2"));
        assertThat(risen.peak()).isEqualTo(Usd.of(1200));
        assertThat(drawdown(risen)).isEqualTo(Fraction.ZERO);
    }

    @Test
    void a_price_change_and_a_deposit_at_once_follow_the_formula_of_the_contract() {
        // M = 10 * 80 = 800; N = 800 + 400; peak = 1000 * 1200 / 800
        Portfolio both = first("one", 0, "BTC crypto 10 100").with(holdings("one", 400, "BTC crypto 10 80"), NOON);

        assertThat(both.peak()).isEqualTo(Usd.of(1500));
        assertThat(drawdown(both)).isEqualTo(Fraction.of("0.2"));
    }

    @Test
    void a_trade_at_the_current_price_is_not_a_flow() {
        Portfolio fallen = first("one", 500, "BTC crypto 10 100").with(holdings("one", 500, "BTC crypto 10 80"), NOON);
        Portfolio sold = fallen.with(holdings("one", 1300), NOON);
        Portfolio bought = sold.with(holdings("one", 300, "SPY tradfi 5 200"), NOON);

        assertThat(sold.peak()).isEqualTo(fallen.peak()).isEqualTo(Usd.of(1500));
        assertThat(bought.peak()).isEqualTo(Usd.of(1500));
    }

    @Test
    void a_position_sold_completely_below_its_price_is_a_loss_and_no_withdrawal() {
        Portfolio whole = first("one", 800, "ETH crypto 10 20").with(holdings("two", 0, "ETH crypto 1 60"), NOON);
        Portfolio sold = whole.traded(holdings("one", 900), moved("ETH", AssetType.CRYPTO, "10", "10"), NOON);

        assertThat(sold.peak()).isEqualTo(whole.peak()).isEqualTo(Usd.of(1060));
        assertThat(sold.total()).isEqualTo(Usd.of(960));
    }

    @Test
    void a_trade_concerns_its_asset_at_its_custodian_only() {
        Portfolio whole = first("one", 0, "ETH crypto 10 20", "ETH tradfi 10 20")
                .with(holdings("two", 0, "ETH crypto 1 60"), NOON);
        Portfolio sold = whole.traded(
                holdings("one", 200, "ETH tradfi 10 20"), moved("ETH", AssetType.CRYPTO, "10", "20"), NOON);
        Portfolio gone = sold.traded(holdings("one", 500), moved("SPY", AssetType.TRADFI, "1", "500"), NOON);

        assertThat(sold.peak()).isEqualTo(whole.peak()).isEqualTo(Usd.of(460));
        assertThat(gone.peak()).isEqualTo(Usd.of(560));
    }

    @Test
    void a_new_custodian_is_a_deposit() {
        Portfolio fallen = first("one", 0, "BTC crypto 10 100").with(holdings("one", 0, "BTC crypto 10 80"), NOON);
        Portfolio more = fallen.with(holdings("two", 800), NOON);

        assertThat(more.peak()).isEqualTo(Usd.of(2000));
        assertThat(drawdown(more)).isEqualTo(drawdown(fallen));
    }

    @Test
    void each_custodian_is_revalued_at_its_own_price() {
        Portfolio two = first("one", 0, "BTC crypto 1 100").with(holdings("two", 0, "BTC crypto 1 90"), NOON);
        Portfolio moved = two.with(holdings("one", 0, "BTC crypto 1 95"), NOON);

        assertThat(two.peak()).isEqualTo(Usd.of(190));
        assertThat(moved.peak()).isEqualTo(Usd.of(190));
        assertThat(moved.total()).isEqualTo(Usd.of(185));
    }

    @Test
    void after_everything_was_withdrawn_the_next_deposit_is_the_new_peak() {
        Portfolio emptied = first("one", 1000).with(holdings("one", 0), NOON);
        Portfolio refilled = emptied.with(holdings("one", 300), NOON);

        assertThat(emptied.peak()).isEqualTo(Usd.ZERO);
        assertThat(refilled.peak()).isEqualTo(Usd.of(300));
    }

    @Test
    void deposits_and_withdrawals_do_not_change_the_drawdown() {
        Seeded.times(2_000, random -> {
            Portfolio portfolio = drawn(random);
            BigDecimal before = drawdown(portfolio).value();
            for (int i = 0; i < 20; i++) {
                portfolio = portfolio.with(holdings("one", 1 + random.nextInt(100_000), positions(portfolio)), NOON);
            }

            assertThat(drawdown(portfolio).value()).isCloseTo(before, within(TINY));
        });
    }

    @Test
    void the_peak_is_never_below_the_total() {
        Seeded.times(5_000, random -> {
            Portfolio portfolio = drawn(random);

            assertThat(portfolio.peak()).isGreaterThanOrEqualTo(portfolio.total());
        });
    }

    @Test
    void a_revision_survives_being_stored() {
        Portfolio portfolio = first("one", 1000, "BTC crypto 0.000000000000000001 100", "SPY tradfi 10 50.25")
                .with(holdings("two", 500, "BTC crypto 1 110"), NOON);
        String text = CanonicalForm.writeStored(Portfolio.STORED.write(portfolio));

        assertThat(Portfolio.STORED.readStored(CanonicalForm.readStored(text))).isEqualTo(portfolio);
    }

    @Test
    void the_syncs_that_a_peak_waits_for_survive_being_stored() {
        Portfolio portfolio = Portfolio.first(broker("one", 1000, 50), NOON)
                .reported(broker("one", 1000, 60), NOON, NOON.plusSeconds(60))
                .reported(broker("one", 1000, 55), NOON, NOON.plusSeconds(90));
        String text = CanonicalForm.writeStored(Portfolio.STORED.write(portfolio));

        assertThat(Portfolio.STORED.readStored(CanonicalForm.readStored(text))).isEqualTo(portfolio);
        assertThat(portfolio.history().totals()).hasSize(3);
        assertThat(portfolio.history().earlier()).hasSize(1);
    }

    @Test
    void what_is_kept_of_syncs_is_bounded_and_the_lowest_of_them_is_never_lost() {
        Portfolio portfolio = Portfolio.first(broker("one", 1000, 100), NOON);
        Instant start = NOON.plusSeconds(600);
        for (int i = 0; i < 1_000; i++) {
            int price = i == 700 ? 150 : 200 + i;
            portfolio = portfolio.reported(broker("one", 1000, price), null, start.plusMillis(100L * i));
            assertThat(portfolio.history().totals()).hasSizeLessThanOrEqualTo(SyncHistory.MAX_TOTALS);
        }
        assertThat(portfolio.peak())
                .as("100 seconds are less than two minutes")
                .isLessThanOrEqualTo(Usd.of(1_000 + 10 * 202));
        for (int i = 0; i < 5; i++) {
            portfolio = portfolio.reported(broker("one", 1000, 1_200), null, start.plusSeconds(400 + 60 * i));
        }

        assertThat(portfolio.peak()).isEqualTo(portfolio.total());
    }

    @Test
    void a_sync_of_one_broker_confirms_no_price_of_another() {
        Portfolio portfolio = Portfolio.first(broker("one", 1000, 100), NOON)
                .reported(broker("two", 1000, 100), null, NOON)
                .reported(broker("two", 1000, 1_000), null, NOON.plusSeconds(600));
        for (int i = 1; i < 10; i++) {
            portfolio = portfolio.reported(broker("one", 1000, 100), null, NOON.plusSeconds(600 + 60 * i));
        }

        assertThat(portfolio
                        .reported(broker("two", 1000, 100), null, NOON.plusSeconds(1_300))
                        .peak())
                .isEqualTo(Usd.of(4_000));
    }

    @Test
    void a_new_peak_begins_at_the_total_and_forgets_the_syncs_before_it() {
        Portfolio fallen = Portfolio.first(broker("one", 1000, 100), NOON)
                .reported(broker("one", 1000, 40), null, NOON.plusSeconds(60));
        Portfolio begun = fallen.withNewPeak(NOON.plusSeconds(90));

        assertThat(drawdown(fallen)).isEqualTo(Fraction.of("0.3"));
        assertThat(drawdown(begun)).isEqualTo(Fraction.ZERO);
        assertThat(begun.peak()).isEqualTo(Usd.of(1_400));
        assertThat(begun.history().totals()).isEmpty();
        assertThat(begun.holdingsRevision()).isEqualTo(fallen.holdingsRevision());
    }

    /** Ten units of BTC and some cash at a broker. */
    private static CustodianHoldings broker(String id, int cash, int price) {
        Position btc = moved("BTC", AssetType.CRYPTO, "10", Integer.toString(price));
        return new CustodianHoldings(
                id, id, CustodianHoldings.CustodianKind.ALPACA, NOON, 1, Usd.of(cash), List.of(btc));
    }

    private static Position moved(String symbol, AssetType type, String quantity, String price) {
        return new Position(new AssetSymbol(symbol), type, new BigDecimal(quantity), Usd.of(price));
    }

    private static CustodianHoldings revised(CustodianHoldings it, long revision) {
        return new CustodianHoldings(it.id(), it.name(), it.kind(), it.syncedAt(), revision, it.cash(), it.positions());
    }

    private static Portfolio drawn(Random random) {
        Portfolio portfolio = first("one", random.nextInt(1_000), "BTC crypto 3 " + (1 + random.nextInt(500)));
        for (int i = random.nextInt(4); i > 0; i--) {
            portfolio = portfolio.with(
                    holdings("one", random.nextInt(1_000), "BTC crypto 3 " + (1 + random.nextInt(500))), NOON);
        }
        return portfolio;
    }

    private static String[] positions(Portfolio portfolio) {
        return portfolio.custodians().get(0).positions().stream()
                .map(it -> it.symbol() + " " + it.assetType().wireName() + " " + it.quantity() + " " + it.price())
                .toArray(String[]::new);
    }

    private static Fraction drawdown(Portfolio portfolio) {
        return portfolio.snapshot().orElseThrow().currentDrawdown();
    }

    static Portfolio first(String id, int cash, String... positions) {
        return Portfolio.first(holdings(id, cash, positions), NOON);
    }

    /** Each position as {@code BTC crypto 2 100}: symbol, sleeve, quantity, price. */
    static CustodianHoldings holdings(String id, int cash, String... positions) {
        StringBuilder items = new StringBuilder();
        for (String position : positions) {
            String[] words = position.split(" ");
            items.append(items.isEmpty() ? "" : ",")
                    .append("{\"symbol\":\"%s\",\"assetType\":\"%s\",\"quantity\":\"%s\",\"price\":%s}"
                            .formatted((Object[]) words));
        }
        String sent = "{\"name\":\"%s\",\"kind\":\"paper\",\"cash\":%d,\"positions\":[%s]}".formatted(id, cash, items);
        return HoldingsDocument.read(id, JsonSamples.object(sent), NOON).orElseThrow();
    }
}
