package dev.agentpolicy.domain.usecase.custodian;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OwnTrade;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A wrong price of a broker, or of one trade, neither makes a peak nor takes one away. */
class FalsePeakTest {
    private static final AssetSymbol GROVE = new AssetSymbol("GROVE");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final UseCaseFixture fixture = new UseCaseFixture();
    private final Caller agent = fixture.agent("{}");

    /** 30 000 USD of BTC, 55 000 of SPY and 15 000 in cash at a broker. */
    @BeforeEach
    void connect() {
        given(fixture.amendIps.put(USER, SampleValues.plainIps()));
        fixture.broker.cash(Usd.of(15_000)).position("BTC", AssetType.CRYPTO, "1", "30000");
        spy("550");
        connect("alpaca");
        fixture.clock.advance(Duration.ofMinutes(10));
    }

    private void connect(String id) {
        given(fixture.connect.connect(
                USER,
                id,
                new ConnectRequest(
                        CustodianKind.ALPACA,
                        "Alpaca",
                        new BrokerCredentials(BrokerEnvironment.PAPER, "key", "secret"))));
    }

    @AfterEach
    void every_verdict_follows_from_the_chain() {
        fixture.validated(agent, "buy 100 SPY tradfi");
        Recomputation recomputation = Recomputation.begin();
        fixture.events().forEach(row -> assertThat(recomputation.row(row)).isEmpty());
    }

    @Test
    void ten_times_the_price_for_one_sync_is_no_peak_and_stops_no_buy() {
        spy("5500");
        sync();
        assertThat(drawdown()).isEqualTo("0");
        fixture.clock.advance(MINUTE);
        spy("550");
        sync();

        assertThat(drawdown()).isEqualTo("0");
        assertThat(fixture.validated(agent, "buy 1000 BTC crypto").value().isAllowed())
                .isTrue();
    }

    @Test
    void ten_times_the_price_for_less_than_two_minutes_is_no_peak_however_often_it_is_synced() {
        sync();
        spy("5500");
        for (int i = 0; i < 100; i++) {
            fixture.clock.advance(Duration.ofSeconds(1));
            sync();
        }
        spy("550");
        sync();

        assertThat(drawdown()).isEqualTo("0");
    }

    @Test
    void a_price_of_nothing_erases_no_peak() {
        given(fixture.connect.remove(USER, "alpaca"));
        hold("100", "0");
        hold("60", "0");
        assertThat(drawdown()).isEqualTo("0.4");

        hold("0", "0");
        assertThat(drawdown()).isEqualTo("no snapshot");
        hold("60", "0");
        assertThat(drawdown()).isEqualTo("0.4");
        hold("0", "0");
        hold("0", "100");
        hold("60", "100");
        assertThat(drawdown()).as("(100 + 100 - 160) / 200").isEqualTo("0.2");
    }

    @Test
    void everything_that_is_withdrawn_takes_its_peak_along() {
        given(fixture.connect.remove(USER, "alpaca"));
        hold("100", "0");
        hold("60", "0");
        given(fixture.observe.observe(
                USER,
                UseCaseFixture.setup("one", "{\"name\":\"One\",\"kind\":\"paper\",\"cash\":0,\"positions\":[]}")));
        hold("60", "0");

        assertThat(drawdown()).isEqualTo("0");
    }

    @Test
    void a_fill_of_a_thin_asset_gives_what_is_held_of_it_no_other_value() {
        fixture.broker.position("GROVE", AssetType.CRYPTO, "1000", "1");
        sync();
        fixture.clock.advance(MINUTE);
        fixture.broker.traded(null, Action.BUY, GROVE, AssetType.CRYPTO, "1", "100");
        fixture.broker.position("GROVE", AssetType.CRYPTO, "1001", "1");
        sync();

        assertThat(drawdown()).as("99 of 101 000").isEqualTo("0.00098");
    }

    @Test
    void a_trade_of_ones_own_gives_what_is_held_no_other_price() {
        given(fixture.connect.remove(USER, "alpaca"));
        given(fixture.observe.observe(USER, UseCaseFixture.setup("one", """
                {"name":"One","kind":"paper","cash":2000,"positions":[
                  {"symbol":"GROVE","assetType":"crypto","quantity":1000,"price":1}]}""")));

        own("one", Action.BUY, "1", "1000");
        assertThat(fixture.portfolio().total()).isEqualTo(Usd.of(2_001));
        assertThat(drawdown()).as("999 of 3000").isEqualTo("0.333");
        own("one", Action.SELL, "500.5", "0.5");
        assertThat(drawdown()).as("999 and half of 500.50").isEqualTo("0.416417");
        own("one", Action.SELL, "500.5", "1");
        assertThat(drawdown()).isEqualTo("0.416417");
        long left = fixture.portfolio().total().value().longValue();
        own("one", Action.BUY, "10", "2");

        assertThat(fixture.portfolio().total().value().longValue())
                .as("what was not held has the price of its trade")
                .isEqualTo(left);
    }

    @Test
    void a_rise_counts_when_three_syncs_agree_and_only_as_far_as_all_of_them_do() {
        spy("600");
        sync();
        fixture.clock.advance(MINUTE);
        spy("580");
        sync();
        assertThat(peak()).isEqualTo("103000");
        fixture.clock.advance(MINUTE);
        spy("590");
        sync();

        assertThat(peak()).isEqualTo("104000");
        spy("550");
        fixture.clock.advance(MINUTE);
        sync();
        assertThat(peak()).as("580 was the lowest of three").isEqualTo("103000");
    }

    @Test
    void syncs_that_are_further_apart_count_as_well() {
        spy("600");
        for (int i = 0; i < 3; i++) {
            sync();
            fixture.clock.advance(Duration.ofMinutes(14));
        }
        spy("550");
        sync();

        assertThat(peak()).isEqualTo("105000");
    }

    @Test
    void a_sync_that_found_no_change_counts_too() {
        fixture.clock.advance(Duration.ofHours(1));
        sync();
        fixture.clock.advance(Duration.ofSeconds(10));
        spy("600");
        for (int i = 0; i < 12; i++) {
            sync();
            fixture.clock.advance(Duration.ofSeconds(9));
        }
        spy("550");
        sync();
        assertThat(peak()).as("two minutes ago it was 550").isEqualTo("100000");
    }

    @Test
    void what_a_paper_custodian_holds_confirms_nothing_of_a_broker() {
        spy("5500");
        sync();
        for (int i = 0; i < 5; i++) {
            fixture.clock.advance(Duration.ofSeconds(50));
            hold("100", Integer.toString(i));
        }
        spy("550");
        sync();

        assertThat(new BigDecimal(drawdown())).isLessThan(new BigDecimal("0.01"));
    }

    @Test
    void a_deposit_during_a_wrong_price_moves_no_drawdown() {
        for (String wrong : new String[] {"5500", "55", "0.0001"}) {
            spy("550");
            sync();
            spy("495");
            settle();
            String before = drawdown();
            spy(wrong);
            fixture.broker.cash(fixture.broker.cash().plus(Usd.of(20_000)));
            sync();
            fixture.clock.advance(MINUTE);
            spy("495");
            sync();
            assertThat(drawdown()).as(wrong).isEqualTo(before);
            fixture.clock.advance(MINUTE);

            spy(wrong);
            sync();
            fixture.clock.advance(MINUTE);
            spy("495");
            fixture.broker.cash(fixture.broker.cash().minus(Usd.of(20_000)));
            sync();
            assertThat(drawdown()).as("after " + wrong).isEqualTo(before);
        }
    }

    @Test
    void a_deposit_between_the_syncs_of_a_rise_moves_no_peak_beyond_it() {
        spy("600");
        sync();
        fixture.clock.advance(MINUTE);
        fixture.broker.cash(Usd.of(15_000 + 105_000));
        sync();
        fixture.clock.advance(MINUTE);
        sync();

        assertThat(peak()).isEqualTo("210000");
        assertThat(drawdown()).isEqualTo("0");
    }

    @Test
    void a_custodian_that_is_removed_takes_its_part_of_the_peak_at_confirmed_prices() {
        hold("100", "50000");
        spy("440");
        settle();
        String before = drawdown();
        spy("44");
        sync();
        given(fixture.connect.remove(USER, "alpaca"));

        assertThat(drawdown()).isEqualTo(before).isNotEqualTo("0");
    }

    @Test
    void a_day_does_not_begin_with_a_price_that_is_ten_times_too_high_at_midnight() {
        limitLoss(1, "0.01");
        settle();
        goTo("2026-11-21T23:59:30Z");
        spy("5500");
        sync();
        goTo("2026-11-22T00:00:30Z");
        assertThat(losses()).isEmpty();
        spy("550");
        sync();

        assertThat(losses()).isEmpty();
    }

    @Test
    void a_day_does_not_begin_with_a_price_that_is_a_tenth_at_midnight() {
        limitLoss(1, "0.05");
        settle();
        goTo("2026-11-21T23:59:30Z");
        spy("55");
        sync();
        goTo("2026-11-22T00:00:30Z");
        spy("495");
        sync();

        assertThat(losses())
                .containsExactly("The portfolio would be 5.5% below its highest value of 1 day; limit loss allows 5%.");
    }

    @Test
    void a_rise_that_is_confirmed_after_midnight_is_a_high_of_the_new_day() {
        limitLoss(1, "0.04");
        goTo("2026-11-21T23:58:30Z");
        spy("600");
        sync();
        goTo("2026-11-21T23:59:30Z");
        sync();
        goTo("2026-11-22T00:00:30Z");
        sync();
        fixture.clock.advance(MINUTE);
        spy("550");
        sync();
        String fallen = "The portfolio would be 4.7619%% below its highest value of %s; limit loss allows 4%%.";
        assertThat(losses()).containsExactly(fallen.formatted("1 day"));

        fixture.broker.cash(Usd.of(15_000 + 50_000));
        settle();
        assertThat(losses()).as("a deposit").containsExactly(fallen.formatted("1 day"));
        goTo("2026-11-23T00:00:00Z");
        sync();
        assertThat(losses()).isEmpty();
        limitLoss(2, "0.04");
        assertThat(losses()).containsExactly(fallen.formatted("2 days"));
        goTo("2026-11-24T00:00:00Z");
        sync();
        assertThat(losses()).isEmpty();
    }

    private void limitLoss(int days, String max) {
        given(fixture.amendIps.put(
                USER,
                SampleValues.ips("{\"limits\":[{\"id\":\"loss\",\"kind\":\"loss\",\"windowDays\":" + days + ",\"max\":"
                        + max + "}]}")));
    }

    /** What the limit of losses says to a small buy. */
    private List<String> losses() {
        return fixture.validated(agent, "buy 1 SPY tradfi").value().violations().stream()
                .filter(violation -> "loss".equals(violation.ruleId()))
                .map(Violation::message)
                .toList();
    }

    private void goTo(String time) {
        fixture.clock.advance(Duration.between(fixture.clock.instant(), Instant.parse(time)));
    }

    /** Lets three syncs agree. */
    private void settle() {
        for (int i = 0; i < 3; i++) {
            sync();
            fixture.clock.advance(MINUTE);
        }
    }

    private void spy(String price) {
        fixture.broker.position("SPY", AssetType.TRADFI, "100", price);
    }

    /** Ten units of GROVE and some cash at a paper custodian. */
    private void hold(String price, String cash) {
        given(fixture.observe.observe(USER, UseCaseFixture.setup("one", """
                {"name":"One","kind":"paper","cash":%s,"positions":[
                  {"symbol":"GROVE","assetType":"crypto","quantity":1,"price":%s}]}""".formatted(cash, price))));
    }

    private void own(String custodian, Action action, String quantity, String price) {
        given(fixture.observe.trade(
                USER,
                custodian,
                new OwnTrade(action, GROVE, AssetType.CRYPTO, new BigDecimal(quantity), Usd.of(price))));
    }

    private void sync() {
        assertThat(fixture.sync.sync(USER, "alpaca")).isEqualTo(SyncResult.SYNCED);
    }

    private String drawdown() {
        return fixture.portfolio()
                .snapshot()
                .map(it -> it.currentDrawdown().toString())
                .orElse("no snapshot");
    }

    /** The highest value so far, the present one included. */
    private String peak() {
        return fixture.portfolio().snapshot().orElseThrow().peak().toString();
    }
}
