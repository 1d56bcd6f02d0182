package dev.agentpolicy.domain.usecase.custodian;

import static dev.agentpolicy.domain.usecase.UseCaseFixture.USER;
import static dev.agentpolicy.domain.usecase.UseCaseFixture.given;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.custodian.BrokerCredentials;
import dev.agentpolicy.domain.custodian.BrokerEnvironment;
import dev.agentpolicy.domain.custodian.CustodianConnection;
import dev.agentpolicy.domain.custodian.CustodianConnection.ConnectionStatus;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.event.chain.EventKind;
import dev.agentpolicy.domain.event.recompute.Recomputation;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.OpenOrder;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import dev.agentpolicy.domain.request.ServiceRequest.RequestStatus;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.usecase.UseCaseFixture;
import dev.agentpolicy.domain.usecase.agent.Caller;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a broker reports is recorded once, whole and in order. */
class SyncCustodianTest {
    private static final AssetSymbol BTC = new AssetSymbol("BTC");
    private static final AssetSymbol SPY = new AssetSymbol("SPY");
    private static final ConnectRequest REQUEST = new ConnectRequest(
            CustodianKind.ALPACA, "Alpaca", new BrokerCredentials(BrokerEnvironment.PAPER, "key", "secret"));
    private final UseCaseFixture fixture = new UseCaseFixture();
    private final Caller agent = fixture.agent("{}");

    /** 30 000 USD of BTC, 55 000 of SPY and 15 000 in cash at a broker. */
    @BeforeEach
    void connect() {
        given(fixture.amendIps.put(USER, SampleValues.plainIps()));
        fixture.broker
                .cash(Usd.of(15_000))
                .position("BTC", AssetType.CRYPTO, "1", "30000")
                .position("SPY", AssetType.TRADFI, "100", "550");
        given(fixture.connect.connect(USER, "alpaca", REQUEST));
        fixture.clock.advance(Duration.ofSeconds(10));
    }

    @AfterEach
    void every_verdict_follows_from_the_chain() {
        Recomputation recomputation = Recomputation.begin();
        fixture.events().forEach(row -> assertThat(recomputation.row(row)).isEmpty());
    }

    @Test
    void the_first_report_becomes_the_portfolio() {
        CustodianHoldings held = held();

        assertThat(held.kind()).isEqualTo(CustodianKind.ALPACA);
        assertThat(held.name()).isEqualTo("Alpaca");
        assertThat(fixture.portfolio().total()).isEqualTo(Usd.of(100_000));
        assertThat(fixture.portfolio().revision()).isOne();
        assertThat(connection().status()).isEqualTo(ConnectionStatus.CONNECTED);
    }

    @Test
    void symbols_become_canonical() {
        fixture.broker.position("DOGE-USD", AssetType.CRYPTO, "10", "0.5");

        assertThat(sync()).isEqualTo(SyncResult.SYNCED);

        assertThat(held().position(new AssetSymbol("DOGE"), AssetType.CRYPTO)).isPresent();
    }

    @Test
    void a_report_that_changes_nothing_makes_no_revision_and_moves_only_the_time() {
        long rows = fixture.events().size();
        Portfolio before = fixture.portfolio();

        assertThat(sync()).isEqualTo(SyncResult.SYNCED);

        assertThat(fixture.portfolio()).isEqualTo(before);
        assertThat(fixture.events()).hasSize((int) rows);
        assertThat(connection().lastSyncedAt()).isEqualTo(fixture.clock.instant());
        assertThat(connection().freshUntil())
                .isEqualTo(fixture.clock.instant().plus(UseCaseFixture.SYNC_TIMES.maxAge()));
    }

    @Test
    void prices_move_the_peak_and_can_cause_a_drift() {
        fixture.broker.position("BTC", AssetType.CRYPTO, "1", "50000");

        sync();

        assertThat(fixture.portfolio().revision()).isEqualTo(2);
        assertThat(fixture.portfolio().peak()).isEqualTo(Usd.of(100_000));
        assertThat(snapshot()).isEqualTo("50000 55000 15000 peak 120000");
        assertThat(fixture.payloads(EventKind.DRIFT_DETECTED))
                .extracting(drift -> drift.get("rule"))
                .containsExactly("crypto_max_allocation", "tradfi_min_allocation");
    }

    @Test
    void a_report_without_news_is_recorded_only_until_three_of_them_confirm_its_prices() {
        fixture.broker.position("BTC", AssetType.CRYPTO, "1", "50000");
        for (int i = 0; i < 5; i++) {
            sync();
            fixture.clock.advance(Duration.ofMinutes(1));
        }

        assertThat(fixture.portfolio().peak()).isEqualTo(Usd.of(120_000));
        assertThat(fixture.portfolio().revision()).isEqualTo(4);
        fixture.broker.position("BTC", AssetType.CRYPTO, "1", "45000");
        for (int i = 0; i < 5; i++) {
            sync();
            fixture.clock.advance(Duration.ofMinutes(1));
        }

        assertThat(fixture.portfolio().revision()).isEqualTo(7);
    }

    @Test
    void an_order_is_placed_and_its_fills_are_recorded_once_each_in_order() {
        long id = accepted("buy 3000 BTC crypto");
        String order = orderId(id);
        fixture.clock.advance(Duration.ofSeconds(1));
        fixture.broker.fill(order, "0.04", "30000");
        sync();
        sync();
        fixture.clock.advance(Duration.ofSeconds(1));
        fixture.broker.fill(order, "0.05", "30000");
        fixture.broker.fill(order, "0.01", "30000");
        fixture.broker.end(order, new OrderState.Filled());
        sync();
        sync();

        assertThat(observed("externalId")).containsExactly("fill-1", "fill-2", "fill-3");
        assertThat(observed("source")).containsOnly("service_initiated");
        assertThat(observed("serviceRequestId"))
                .allSatisfy(named -> assertThat(named).hasToString(Long.toString(id)));
        assertThat(observed("amountUsd")).containsExactly("1200", "1500", "300");
        Completed completed = (Completed) fixture.request(id);
        assertThat(completed.order().filledUsd()).isEqualTo(Usd.of(3_000));
        assertThat(completed.order().quantity()).isEqualByComparingTo("0.1");
        assertThat(completed.order().state()).isEqualTo(new OrderState.Filled());
        assertThat(completed.order().externalId()).isEqualTo("broker-" + order);
        assertThat(held().openOrders()).isEmpty();
        assertThat(held().cash()).isEqualTo(Usd.of(12_000));
    }

    @Test
    void an_open_order_counts_as_filled_and_its_fills_move_neither_total_nor_peak() {
        long id = accepted("buy 3000 BTC crypto");
        assertThat(snapshot()).isEqualTo("33000 55000 12000 peak 100000");
        assertThat(held().cash()).isEqualTo(Usd.of(15_000));

        fixture.broker.fill(orderId(id), "0.04", "30000");
        sync();
        assertThat(snapshot()).isEqualTo("33000 55000 12000 peak 100000");
        assertThat(held().openOrders()).extracting(OpenOrder::rest).containsExactly(Usd.of(1_800));

        fixture.broker.fill(orderId(id), "0.06", "30000");
        fixture.broker.end(orderId(id), new OrderState.Filled());
        sync();
        assertThat(snapshot()).isEqualTo("33000 55000 12000 peak 100000");
        assertThat(fixture.portfolio().snapshot().orElseThrow().currentDrawdown())
                .hasToString("0");
    }

    @Test
    void a_fill_at_another_price_is_no_deposit() {
        long id = accepted("buy 3100 BTC crypto");
        fixture.broker.fill(orderId(id), "0.1", "31000");
        fixture.broker.end(orderId(id), new OrderState.Filled());

        sync();

        assertThat(fixture.portfolio().total()).isEqualTo(Usd.of(101_000));
        assertThat(fixture.portfolio().peak()).isEqualTo(Usd.of(100_000));
        assertThat(fixture.portfolio().snapshot().orElseThrow().peak()).isEqualTo(Usd.of(101_000));
    }

    @Test
    void the_tally_counts_each_fill_and_the_rest_until_the_order_is_over() {
        long id = accepted("buy 3000 BTC crypto");
        assertThat(tally()).isEqualTo("pending 3000 completed 0 requests 1");
        fixture.broker.fill(orderId(id), "0.04", "30000");
        sync();
        assertThat(tally()).isEqualTo("pending 1800 completed 1200 requests 1");
        fixture.validated(agent, "buy 1 BTC crypto");
        fixture.broker.end(orderId(id), new OrderState.Cancelled());

        sync();

        assertThat(tally()).isEqualTo("pending 0 completed 1200 requests 0");
        assertThat(fixture.request(id).status()).isEqualTo(RequestStatus.COMPLETED);
        assertThat(((Completed) fixture.request(id)).order().state()).isEqualTo(new OrderState.Cancelled());
        assertThat(held().openOrders()).isEmpty();
        fixture.validated(agent, "buy 1 BTC crypto");
    }

    @Test
    void more_than_was_allowed_can_be_filled_and_is_counted() {
        long id = accepted("buy 3000 BTC crypto");
        fixture.broker.fill(orderId(id), "0.1", "30100");
        fixture.broker.end(orderId(id), new OrderState.Filled());

        sync();

        assertThat(tally()).isEqualTo("pending 0 completed 3010 requests 0");
        fixture.validated(agent, "buy 1 BTC crypto");
    }

    @Test
    void the_fills_of_a_sell_reduce_what_the_key_manages() {
        long bought = accepted("buy 3000 BTC crypto");
        fixture.broker.fill(orderId(bought), "0.1", "30000");
        fixture.broker.end(orderId(bought), new OrderState.Filled());
        sync();
        long sold = accepted("sell 1500 BTC crypto");
        fixture.broker.fill(orderId(sold), "0.02", "30000");
        sync();
        assertThat(fixture.tally(agent).aum()).isEqualTo(Usd.of(2_400));
        assertThat(snapshot()).isEqualTo("31500 55000 13500 peak 100000");
        fixture.broker.end(orderId(sold), new OrderState.Expired());
        sync();

        assertThat(fixture.tally(agent).aum()).isEqualTo(Usd.of(2_400));
        assertThat(fixture.tally(agent).pending()).isZero();
        assertThat(snapshot()).isEqualTo("32400 55000 12600 peak 100000");
        fixture.validated(agent, "sell 1 BTC crypto");
    }

    @Test
    void an_order_is_done_only_with_all_its_fills() {
        long id = accepted("buy 3000 BTC crypto");
        fixture.broker.fill(orderId(id), "0.04", "30000");
        Fill late = fixture.broker.fill(orderId(id), "0.06", "30000");
        fixture.broker.hide(late);
        fixture.broker.end(orderId(id), new OrderState.Filled());

        sync();

        assertThat(fixture.pending(id).order().state()).isEqualTo(new OrderState.PartiallyFilled());
        fixture.broker.show();
        sync();
        assertThat(fixture.request(id).status()).isEqualTo(RequestStatus.COMPLETED);
        assertThat(observed("externalId")).containsExactly("fill-1", "fill-2");
        assertThat(snapshot()).isEqualTo("33000 55000 12000 peak 100000");
    }

    @Test
    void a_fill_that_becomes_visible_minutes_after_a_later_one_is_recorded() {
        long id = accepted("buy 3000 BTC crypto");
        Fill late = fixture.broker.fill(orderId(id), "0.04", "30000");
        fixture.broker.hide(late);
        fixture.clock.advance(Duration.ofMinutes(10));
        fixture.broker.traded(null, Action.SELL, SPY, AssetType.TRADFI, "1", "550");
        sync();
        fixture.broker.show();

        sync();

        assertThat(observed("externalId")).containsExactly("fill-2", "fill-1");
    }

    @Test
    void a_fill_that_is_reported_after_the_end_of_its_request_is_recorded_with_it() {
        long id = accepted("buy 3000 BTC crypto");
        String order = orderId(id);
        fixture.broker.fill(order, "0.04", "30000");
        fixture.broker.end(order, new OrderState.Cancelled());
        sync();
        fixture.broker.traded(order, Action.BUY, BTC, AssetType.CRYPTO, "0.01", "30000");

        sync();

        Completed completed = (Completed) fixture.request(id);
        assertThat(completed.order().filledUsd()).isEqualTo(Usd.of(1_500));
        assertThat(observed("serviceRequestId")).hasSize(2).doesNotContainNull();
        assertThat(tally()).isEqualTo("pending 0 completed 1500 requests 0");
        fixture.validated(agent, "buy 1 BTC crypto");
    }

    @Test
    void an_order_that_ends_with_nothing_filled_lets_the_request_wait_again() {
        long id = accepted("buy 3000 BTC crypto");
        fixture.broker.end(orderId(id), new OrderState.Expired());

        sync();

        assertThat(fixture.pending(id).isAccepted()).isFalse();
        assertThat(fixture.pending(id).executionError())
                .isEqualTo("The price left the bound of 1% before the order was filled.");
        assertThat(tally()).isEqualTo("pending 3000 completed 0 requests 1");
        assertThat(snapshot()).isEqualTo("30000 55000 15000 peak 100000");
        given(fixture.attest.accept(USER, id));
        assertThat(fixture.pending(id).order().number()).isEqualTo(2);
        assertThat(fixture.broker.orders()).hasSize(2);
    }

    @Test
    void an_order_that_the_broker_rejects_later_lets_the_request_wait_again_with_the_reason() {
        long id = accepted("buy 3000 BTC crypto");
        fixture.broker.end(orderId(id), new OrderState.Rejected("BTC is halted."));

        sync();

        assertThat(fixture.pending(id).executionError()).isEqualTo("BTC is halted.");
    }

    @Test
    void a_fill_of_an_earlier_order_is_recorded_with_the_request_but_not_with_the_present_order() {
        long id = accepted("buy 3000 BTC crypto");
        String first = orderId(id);
        fixture.broker.end(first, new OrderState.Expired());
        sync();
        given(fixture.attest.accept(USER, id));
        fixture.broker.traded(first, Action.BUY, BTC, AssetType.CRYPTO, "0.01", "30000");

        sync();

        assertThat(observed("serviceRequestId")).singleElement().hasToString(Long.toString(id));
        assertThat(fixture.pending(id).order().isFilled()).isFalse();
        assertThat(fixture.tally(agent).completedBuys()).isEqualTo(Usd.of(300));
    }

    @Test
    void a_fill_of_an_order_that_was_said_to_have_come_to_nothing_completes_the_request_that_waits_again() {
        long id = accepted("buy 3000 BTC crypto");
        String order = orderId(id);
        fixture.broker.end(order, new OrderState.Cancelled());
        sync();
        assertThat(fixture.pending(id).isAccepted()).isFalse();
        fixture.broker.traded(order, Action.BUY, BTC, AssetType.CRYPTO, "0.04", "30000");

        sync();

        Completed completed = (Completed) fixture.request(id);
        assertThat(completed.order().clientOrderId()).isEqualTo(order);
        assertThat(completed.order().filledUsd()).isEqualTo(Usd.of(1_200));
        assertThat(tally()).isEqualTo("pending 0 completed 1200 requests 0");
        fixture.validated(agent, "buy 1 BTC crypto");
        fixture.broker.traded(order, Action.BUY, BTC, AssetType.CRYPTO, "0.01", "30000");
        sync();
        assertThat(tally()).isEqualTo("pending 0 completed 1500 requests 0");
        fixture.validated(agent, "buy 1 BTC crypto");
    }

    @Test
    void a_fill_of_an_earlier_order_does_not_contradict_the_chain() {
        long id = accepted("buy 3000 BTC crypto");
        String first = orderId(id);
        fixture.broker.end(first, new OrderState.Expired());
        sync();
        given(fixture.attest.accept(USER, id));
        fixture.broker.traded(first, Action.BUY, BTC, AssetType.CRYPTO, "0.01", "30000");
        sync();

        fixture.validated(agent, "buy 1 BTC crypto");
    }

    @Test
    void a_fill_of_an_order_whose_request_was_rejected_since_does_not_contradict_the_chain() {
        long id = accepted("buy 3000 BTC crypto");
        String order = orderId(id);
        fixture.broker.end(order, new OrderState.Cancelled());
        sync();
        given(fixture.attest.reject(USER, id, null));
        fixture.broker.traded(order, Action.BUY, BTC, AssetType.CRYPTO, "0.04", "30000");

        sync();

        assertThat(tally()).isEqualTo("pending 0 completed 1200 requests 0");
        fixture.validated(agent, "buy 1 BTC crypto");
    }

    @Test
    void the_users_own_trades_are_observed_as_such() {
        fixture.broker.traded(null, Action.SELL, SPY, AssetType.TRADFI, "1", "550");
        fixture.broker.traded("web-17", Action.SELL, SPY, AssetType.TRADFI, "2", "550");

        sync();

        assertThat(observed("source")).containsOnly("user_initiated").hasSize(2);
        assertThat(observed("serviceRequestId")).containsOnlyNulls();
        assertThat(held().cash()).isEqualTo(Usd.of(16_650));
        assertThat(fixture.store.fillLog().withoutRequest(USER, 10)).hasSize(2);
    }

    @Test
    void a_trade_of_another_installation_with_the_same_request_number_is_the_users_own() {
        long id = accepted("buy 3000 BTC crypto");
        fixture.broker.traded("request-" + id + "-1-abc", Action.BUY, BTC, AssetType.CRYPTO, "0.01", "30000");
        fixture.broker.traded(orderId(id), Action.SELL, BTC, AssetType.CRYPTO, "0.01", "30000");

        sync();

        assertThat(observed("source")).containsOnly("user_initiated").hasSize(2);
        assertThat(fixture.pending(id).order().isFilled()).isFalse();
    }

    @Test
    void trades_before_the_account_was_connected_are_not_observed() {
        fixture.broker.reported(
                null,
                Action.BUY,
                BTC,
                AssetType.CRYPTO,
                "1",
                "30000",
                connection().connectedAt().minusNanos(1_000));
        fixture.broker.reported(
                null,
                Action.BUY,
                SPY,
                AssetType.TRADFI,
                "1",
                "550",
                connection().connectedAt());

        sync();

        assertThat(observed("externalId")).containsExactly("fill-2");
    }

    @Test
    void many_fills_are_recorded_page_by_page() {
        fixture.broker.pageSize(6);
        for (int i = 0; i < 10; i++) {
            fixture.clock.advance(Duration.ofMinutes(6));
            fixture.broker.traded(null, Action.SELL, SPY, AssetType.TRADFI, "1", "550");
        }

        assertThat(sync()).isEqualTo(SyncResult.SYNCED);

        assertThat(observed("externalId")).hasSize(10).doesNotHaveDuplicates();
        assertThat(observed("externalId").get(9)).isEqualTo("fill-10");
        assertThat(held().cash()).isEqualTo(Usd.of(20_500));
        assertThat(fixture.portfolio().peak()).isEqualTo(Usd.of(100_000));
    }

    @Test
    void too_many_fills_at_once_make_the_custodian_stale() {
        fixture.broker.pageSize(2);
        for (int i = 0; i < 3; i++) {
            fixture.broker.traded(null, Action.SELL, SPY, AssetType.TRADFI, "1", "550");
        }

        assertThat(sync()).isEqualTo(SyncResult.FAILED);

        assertThat(connection().status()).isEqualTo(ConnectionStatus.STALE);
        assertThat(connection().error()).isEqualTo("There are too many fills at once.");
    }

    @Test
    void an_order_that_was_never_sent_is_not_looked_for() {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");
        fixture.broker.unpriced(CustodianFailure.away("There is no price."));
        given(fixture.attest.accept(USER, id));

        assertThat(sync()).isEqualTo(SyncResult.SYNCED);

        assertThat(fixture.pending(id).isAccepted()).isTrue();
        assertThat(fixture.broker.lookedFor()).isEmpty();
    }

    @Test
    void a_report_is_dropped_when_the_account_changed_meanwhile_and_asked_for_again() throws InterruptedException {
        long id = fixture.queued(agent, "buy 3000 BTC crypto");
        int before = fixture.broker.syncs();
        Thread accepting = new Thread(() -> given(fixture.attest.accept(USER, id)));
        fixture.broker.meanwhile(() -> {
            accepting.start();
            untilWaiting(List.of(accepting));
        });

        assertThat(sync()).isEqualTo(SyncResult.SYNCED);

        accepting.join();
        assertThat(fixture.broker.syncs() - before).isEqualTo(3);
        assertThat(snapshot()).isEqualTo("33000 55000 12000 peak 100000");
    }

    @Test
    void a_sync_gives_up_when_the_account_changes_again_and_again() {
        int before = fixture.broker.syncs();
        changeAlways(0);

        assertThat(sync()).isEqualTo(SyncResult.CONTENDED);

        assertThat(fixture.broker.syncs() - before).isEqualTo(10);
    }

    private void changeAlways(int times) {
        fixture.broker.meanwhile(() -> {
            CustodianConnection renewed =
                    connection().synced(fixture.clock.instant().plusSeconds(times + 1L), Duration.ofMinutes(1), null);
            fixture.store.change(
                    USER,
                    account -> new Outcome.Recording()
                            .connections(account.connections().with(renewed))
                            .answer(receipts -> true));
            changeAlways(times + 1);
        });
    }

    @Test
    void a_broker_that_is_away_becomes_stale_and_keeps_its_time() {
        CustodianConnection before = connection();
        Portfolio portfolio = fixture.portfolio();
        fixture.broker.away("Alpaca does not answer.");

        assertThat(sync()).isEqualTo(SyncResult.FAILED);

        assertThat(connection()).isEqualTo(before.failed(ConnectionStatus.STALE, "Alpaca does not answer."));
        assertThat(fixture.portfolio()).isEqualTo(portfolio);
        fixture.broker.away(null);
        assertThat(sync()).isEqualTo(SyncResult.SYNCED);
        assertThat(connection().status()).isEqualTo(ConnectionStatus.CONNECTED);
        assertThat(connection().error()).isNull();
    }

    @Test
    void a_broker_that_refuses_is_shown_with_its_reason() {
        fixture.broker.refusing("The key was revoked.");

        assertThat(sync()).isEqualTo(SyncResult.FAILED);

        assertThat(connection().status()).isEqualTo(ConnectionStatus.REFUSED);
        assertThat(connection().error()).isEqualTo("The key was revoked.");
    }

    @Test
    void open_orders_of_others_count_as_filled_and_may_not_exceed_the_cash() {
        fixture.broker.openOrder(new OpenOrder("web-1", Action.BUY, SPY, AssetType.TRADFI, Usd.of(5_000)));
        sync();
        assertThat(snapshot()).isEqualTo("30000 60000 10000 peak 100000");
        fixture.broker.openOrder(new OpenOrder("web-2", Action.BUY, SPY, AssetType.TRADFI, Usd.of("10000.01")));

        assertThat(sync()).isEqualTo(SyncResult.FAILED);

        assertThat(connection().status()).isEqualTo(ConnectionStatus.REFUSED);
        assertThat(connection().error()).isEqualTo("The open orders at Alpaca exceed its cash.");
    }

    @Test
    void an_asset_in_two_sleeves_is_refused() {
        fixture.holdElsewhere("paper", 1_000);
        fixture.broker.position("BTC", AssetType.TRADFI, "1", "30");

        assertThat(sync()).isEqualTo(SyncResult.FAILED);

        assertThat(connection().status()).isEqualTo(ConnectionStatus.REFUSED);
        assertThat(connection().error()).contains("BTC is held as crypto");
    }

    @Test
    void an_unknown_custodian_is_told_apart_from_one_that_fails() {
        assertThat(fixture.sync.sync(USER, "nowhere")).isEqualTo(SyncResult.UNKNOWN);
    }

    @Test
    void an_order_that_the_broker_took_in_another_form_is_followed_told_and_cancelled() {
        String warning = "Alpaca has this order as market buy of 1 SPY, and not as what was ordered.";
        fixture.broker.wording(warning);
        long id = accepted("buy 3000 BTC crypto");
        String order = orderId(id);

        assertThat(fixture.pending(id).order().warning()).isEqualTo(warning);
        assertThat(fixture.pending(id).order().isCancelRequested()).isFalse();
        assertThat(fixture.broker.asked()).containsExactly(order, "-" + order);
        sync();
        assertThat(fixture.broker.asked()).containsExactly(order, "-" + order, "-" + order);
        fixture.broker.end(order, new OrderState.Cancelled());
        sync();
        assertThat(fixture.pending(id).isAccepted()).isFalse();
        assertThat(fixture.pending(id).executionError())
                .isEqualTo(warning + " The custodian cancelled the order before anything was filled.");
        assertThat(fixture.broker.orders()).containsExactly(order);
    }

    @Test
    void an_order_that_the_broker_took_in_another_form_and_filled_completes_its_request() {
        fixture.broker.wording("Alpaca has this order as market buy of 0.1 BTC, and not as what was ordered.");
        long id = accepted("buy 3000 BTC crypto");
        fixture.broker.fill(orderId(id), "0.1", "30000");
        fixture.broker.end(orderId(id), new OrderState.Filled());

        sync();

        Completed completed = (Completed) fixture.request(id);
        assertThat(completed.order().warning()).contains("0.1 BTC");
        assertThat(completed.order().filledUsd()).isEqualTo(Usd.of(3_000));
        assertThat(fixture.broker.orders()).hasSize(1);
    }

    @Test
    void a_fill_of_another_asset_under_the_id_of_an_order_is_the_users_own() {
        long id = accepted("buy 3000 BTC crypto");
        fixture.broker.traded(orderId(id), Action.BUY, new AssetSymbol("ETH"), AssetType.CRYPTO, "1", "2500");

        sync();

        assertThat(observed("source")).containsExactly("user_initiated");
        assertThat(fixture.pending(id).order().isFilled()).isFalse();
    }

    @Test
    void a_request_is_done_when_its_fills_are_one_step_short_of_its_order() {
        long id = accepted("buy 3000 BTC crypto");
        fixture.broker.fill(orderId(id), "0.1", "30000");
        fixture.broker.overstate(orderId(id), "0.000000002");
        fixture.broker.end(orderId(id), new OrderState.Filled());
        sync();
        assertThat(fixture.pending(id).isAccepted()).isTrue();

        fixture.broker.overstate(orderId(id), "-0.000000001");
        sync();

        assertThat(fixture.request(id).status()).isEqualTo(RequestStatus.COMPLETED);
    }

    @Test
    void a_fill_that_is_dated_in_the_future_does_not_hide_later_ones() {
        fixture.broker.reported(
                null, Action.SELL, SPY, AssetType.TRADFI, "1", "550", Instant.parse("2099-01-01T00:00:00Z"));
        sync();
        assertThat(connection().fillsSince()).isBefore(fixture.clock.instant());
        fixture.broker.traded(null, Action.SELL, SPY, AssetType.TRADFI, "1", "550");

        sync();

        assertThat(observed("externalId")).containsExactly("fill-1", "fill-2");
    }

    @Test
    void what_a_report_leaves_out_is_told_while_it_does() {
        fixture.broker.leavesOut("A fill is left out.");

        assertThat(sync()).isEqualTo(SyncResult.SYNCED);

        assertThat(connection().warning()).isEqualTo("A fill is left out.");
        fixture.broker.leavesOut(null);
        sync();
        assertThat(connection().warning()).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0, price of DOGE",
        "1, 1000000000000.00000001, price of DOGE",
        "1000000000000001, 0.0001, quantity of DOGE",
        "1000000, 1000000000, value of DOGE"
    })
    void nothing_is_taken_of_a_report_with_a_number_that_no_position_has(String quantity, String price, String what) {
        Portfolio before = fixture.portfolio();
        fixture.broker.cash(Usd.of(14_000)).position("DOGE", AssetType.CRYPTO, quantity, price);

        assertThat(sync()).isEqualTo(SyncResult.FAILED);

        assertThat(connection().status()).isEqualTo(ConnectionStatus.STALE);
        assertThat(connection().error()).isEqualTo("The " + what + " that Alpaca reports cannot be right.");
        assertThat(fixture.portfolio()).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"-5, 500, quantity", "5, -500, price", "5, 0, price", "1e64, 1, quantity", "1e14, 1e4, amount"})
    void a_number_that_no_fill_has_is_never_signed(String quantity, String price, String what) {
        fixture.broker.reported(null, Action.BUY, SPY, AssetType.TRADFI, quantity, price, fixture.clock.instant());

        assertThat(sync()).isEqualTo(SyncResult.FAILED);

        assertThat(connection().error())
                .isEqualTo("The " + what + " of a fill of SPY that Alpaca reports cannot be right.");
        assertThat(observed("externalId")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"7, id", "0, order", "133, id", "55296, id"})
    void a_fill_whose_ids_cannot_be_recorded_makes_the_custodian_stale(int character, String what) {
        String id = "1" + (char) character;
        fixture.broker.fillIds(what.equals("id") ? id : "fill-");
        fixture.broker.reported(
                what.equals("id") ? null : id, Action.BUY, SPY, AssetType.TRADFI, "1", "550", fixture.clock.instant());

        assertThat(sync()).isEqualTo(SyncResult.FAILED);

        assertThat(connection().status()).isEqualTo(ConnectionStatus.STALE);
        assertThat(connection().error())
                .isEqualTo("The " + what + " of a fill of SPY that Alpaca reports cannot be right.");
        assertThat(observed("externalId")).isEmpty();
    }

    @Test
    void more_fills_than_one_sync_records_make_the_custodian_stale_until_the_last_is_recorded() {
        fixture.broker.pageSize(4);
        for (int i = 0; i < 60; i++) {
            fixture.clock.advance(Duration.ofMinutes(6));
            fixture.broker.traded(null, Action.SELL, SPY, AssetType.TRADFI, "1", "550");
        }

        assertThat(sync()).isEqualTo(SyncResult.FAILED);

        assertThat(connection().status()).isEqualTo(ConnectionStatus.STALE);
        assertThat(connection().error())
                .isEqualTo("It lists more fills than one sync records; the next sync goes on after them.");
        int syncs = 1;
        while (sync() != SyncResult.SYNCED) {
            assertThat(syncs++).isLessThan(10);
        }
        assertThat(observed("externalId")).hasSize(60).doesNotHaveDuplicates();
        assertThat(connection().status()).isEqualTo(ConnectionStatus.CONNECTED);
    }

    @Test
    void syncs_at_the_same_time_share_one_that_begins_after_they_were_asked_for() {
        int before = fixture.broker.syncs();
        List<Thread> others = new ArrayList<>();
        List<SyncResult> results = new CopyOnWriteArrayList<>();
        fixture.broker.meanwhile(() -> {
            for (int i = 0; i < 59; i++) {
                Thread other = new Thread(() -> results.add(sync()));
                other.start();
                others.add(other);
            }
            untilWaiting(others);
            fixture.broker.cash(Usd.of(14_000));
        });

        results.add(sync());
        for (Thread other : others) {
            try {
                other.join();
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
        }

        assertThat(results).hasSize(60).containsOnly(SyncResult.SYNCED);
        assertThat(fixture.broker.syncs()).isEqualTo(before + 2);
        assertThat(held().cash()).isEqualTo(Usd.of(14_000));
    }

    private static void untilWaiting(List<Thread> threads) {
        Instant end = Instant.now().plusSeconds(20);
        while (threads.stream().anyMatch(thread -> thread.getState() == Thread.State.RUNNABLE)
                && Instant.now().isBefore(end)) {
            Thread.onSpinWait();
        }
    }

    @Test
    void a_bug_in_a_shared_sync_is_thrown_to_all_who_wait_for_it() {
        IllegalStateException bug = new IllegalStateException("A bug.");
        List<Thread> others = new ArrayList<>();
        List<RuntimeException> thrown = new CopyOnWriteArrayList<>();
        fixture.broker.meanwhile(() -> {
            for (int i = 0; i < 5; i++) {
                Thread other = new Thread(() -> {
                    try {
                        sync();
                    } catch (RuntimeException failed) {
                        thrown.add(failed);
                    }
                });
                other.start();
                others.add(other);
            }
            fixture.broker.breaks(bug);
        });
        sync();
        for (Thread other : others) {
            try {
                other.join();
            } catch (InterruptedException stopped) {
                throw new AssertionError(stopped);
            }
        }

        assertThat(thrown).hasSize(5).containsOnly(bug);
        fixture.broker.breaks(null);
        assertThat(sync()).isEqualTo(SyncResult.SYNCED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-0.01", "1000000000000.01", "1e64"})
    void cash_that_no_account_has_makes_the_custodian_stale(String cash) {
        fixture.broker.cash(Usd.of(cash));

        assertThat(sync()).isEqualTo(SyncResult.FAILED);

        assertThat(connection().error()).isEqualTo("The cash that Alpaca reports cannot be right.");
        assertThat(held().cash()).isEqualTo(Usd.of(15_000));
    }

    @Test
    void an_order_under_way_is_asked_for_again_soon() {
        accepted("buy 3000 BTC crypto");

        assertThat(fixture.schedule.claim(
                        new UUID(0, 9),
                        fixture.clock.instant().plusSeconds(1),
                        Duration.ofMinutes(2),
                        fixture.clock.instant().plusSeconds(60),
                        5))
                .hasSize(1);
    }

    private long accepted(String trade) {
        long id = fixture.queued(agent, trade);
        ServiceRequest request = given(fixture.attest.accept(USER, id));
        assertThat(request.status()).isEqualTo(RequestStatus.PENDING);
        assertThat(fixture.broker.orders()).contains(orderId(id));
        return id;
    }

    private String orderId(long id) {
        OrderAttempt order = fixture.pending(id).order();
        return order == null ? "none" : order.clientOrderId();
    }

    private SyncResult sync() {
        return fixture.sync.sync(USER, "alpaca");
    }

    private CustodianHoldings held() {
        return fixture.portfolio().custodian("alpaca").orElseThrow();
    }

    private CustodianConnection connection() {
        return fixture.store.view(USER).connections().find("alpaca").orElseThrow();
    }

    private List<Object> observed(String member) {
        return fixture.payloads(EventKind.TRADE_OBSERVED).stream()
                .map((Document it) -> it.get(member))
                .toList();
    }

    private String snapshot() {
        return fixture.portfolio()
                .snapshot()
                .map(it -> it.crypto() + " " + it.tradfi() + " " + it.cash() + " peak " + it.peak())
                .orElse("-");
    }

    private String tally() {
        var tally = fixture.tally(agent);
        return "pending " + tally.pendingBuys() + " completed " + tally.completedBuys() + " requests "
                + tally.pending();
    }
}
