package dev.agentpolicy.domain.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianFailure;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Fill;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.custodian.PriceBound;
import dev.agentpolicy.domain.custodian.ReferencePrice;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.OpenOrder;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link Custodian}. Each test begins with an account that holds 10 000 USD in cash and one BTC, without
 * orders or fills. A BTC costs 30 000 USD, a share of SPY 500, and there is no asset NOPE.
 */
public interface CustodianContract {
    AssetSymbol BTC = new AssetSymbol("BTC");
    AssetSymbol SPY = new AssetSymbol("SPY");
    AssetSymbol NOPE = new AssetSymbol("NOPE");
    Fraction ONE_PERCENT = Fraction.of("0.01");
    /** Syncs after which a cancelled order must be over. */
    int MAX_SYNCS = 20;

    /** The custodian that is tested. */
    Custodian custodian();

    /** The owner of the account. */
    UserId user();

    /** The id of the custodian. */
    String id();

    CustodianKind kind();

    /** From now on orders stay open. */
    void closeMarket();

    /** From now on orders are filled whole, also those that stayed open. */
    void openMarket();

    /** From now on a BTC costs this much; the market does what it did before. */
    void movePrice(String usd);

    /** From now on the first half of every order is filled, and the rest stays open. */
    void fillHalf();

    /** The custodian does what it is asked to next, but its answer is lost. */
    void loseNextAnswer();

    /** The user buys a share of SPY without the service. */
    void buyOneSpyElsewhere();

    /**
     * The user places an order for 500 USD of SPY without the service, while the market is closed.
     *
     * @return false if this custodian takes no orders but those of the service
     */
    boolean orderSpyElsewhere();

    /** Fills from this time on are asked for. */
    default Instant since() {
        return Instant.EPOCH;
    }

    @Test
    default void an_account_is_reported_with_its_cash_and_positions() {
        CustodianReport report = synced();

        assertThat(report.holdings().id()).isEqualTo(id());
        assertThat(report.holdings().kind()).isEqualTo(kind());
        assertThat(report.holdings().cash()).isEqualTo(Usd.of(10_000));
        assertThat(report.holdings().positions())
                .containsExactly(new Position(BTC, AssetType.CRYPTO, BigDecimal.ONE, Usd.of(30_000)));
        assertThat(report.holdings().openOrders()).isEmpty();
        assertThat(report.orders()).isEmpty();
        assertThat(report.fills()).isEmpty();
    }

    @Test
    default void a_buy_is_filled_and_reported_with_its_fills_and_in_the_holdings() {
        Order order = buy("1");

        OrderReport placed = custodian().place(order);

        assertThat(placed.clientOrderId()).isEqualTo(order.clientOrderId());
        CustodianReport report = synced(order);
        OrderReport filled = only(report);
        assertThat(filled.state()).isEqualTo(new OrderState.Filled());
        assertThat(filled.externalId()).isEqualTo(placed.externalId()).isNotBlank();
        assertThat(filled.filledQuantity()).isEqualByComparingTo("0.01");
        assertThat(filled.warning())
                .describedAs("the order is as it was placed")
                .isNull();
        assertThat(report.fills()).isNotEmpty().allSatisfy(fill -> {
            assertThat(fill.custodian()).isEqualTo(id());
            assertThat(fill.clientOrderId()).isEqualTo(order.clientOrderId());
            assertThat(fill.action()).isEqualTo(Action.BUY);
            assertThat(fill.symbol()).isEqualTo(BTC);
            assertThat(fill.assetType()).isEqualTo(AssetType.CRYPTO);
            assertThat(fill.price()).isEqualTo(Usd.of(30_000));
        });
        assertThat(quantity(report, order)).isEqualByComparingTo(filled.filledQuantity());
        assertThat(amount(report, order)).isEqualTo(Usd.of(300));
        assertThat(report.holdings().cash()).isEqualTo(Usd.of(9_700));
        assertThat(held(report, BTC)).isEqualByComparingTo("1.01");
    }

    @Test
    default void a_sell_is_filled_and_reported() {
        Order order = order("1", Action.SELL, BTC, AssetType.CRYPTO, "0.5", "29700");

        custodian().place(order);

        CustodianReport report = synced(order);
        assertThat(only(report).state()).isEqualTo(new OrderState.Filled());
        assertThat(quantity(report, order)).isEqualByComparingTo("0.5");
        assertThat(report.holdings().cash()).isEqualTo(Usd.of(25_000));
        assertThat(held(report, BTC)).isEqualByComparingTo("0.5");
    }

    @Test
    default void an_order_that_is_placed_twice_is_one_order() {
        Order order = buy("1");

        OrderReport first = custodian().place(order);
        OrderReport second = custodian().place(order);

        assertThat(second.externalId()).isEqualTo(first.externalId());
        CustodianReport report = synced(order);
        assertThat(quantity(report, order)).isEqualByComparingTo("0.01");
        assertThat(report.holdings().cash()).isEqualTo(Usd.of(9_700));
    }

    @Test
    default void an_order_whose_answer_was_lost_can_be_placed_again() {
        Order order = buy("1");
        loseNextAnswer();

        assertAway(() -> custodian().place(order));
        OrderReport again = custodian().place(order);

        assertThat(again.clientOrderId()).isEqualTo(order.clientOrderId());
        assertThat(quantity(synced(order), order)).isEqualByComparingTo("0.01");
    }

    @Test
    default void an_open_order_that_is_placed_again_stays_one_order() {
        closeMarket();
        Order order = buy("1");

        custodian().place(order);
        OrderReport again = custodian().place(order);

        assertThat(again.state()).isEqualTo(new OrderState.Open());
        openMarket();
        assertThat(quantity(synced(order), order)).isEqualByComparingTo("0.01");
    }

    @Test
    default void a_refused_order_does_not_exist() {
        Order order = order("1", Action.BUY, NOPE, AssetType.TRADFI, "1", "100");

        assertThat(assertRefused(() -> custodian().price(order, ONE_PERCENT))).endsWith(".");
        String reason = assertRefused(() -> custodian().place(order));

        assertThat(reason).endsWith(".");
        assertThat(assertRefused(() -> custodian().place(order))).isEqualTo(reason);
        CustodianReport report = synced(order);
        assertThat(report.orders()).allMatch(known -> known.state().isOver());
        assertThat(report.fills()).isEmpty();
        assertThat(report.holdings().cash()).isEqualTo(Usd.of(10_000));
    }

    @Test
    default void an_order_that_costs_more_than_the_cash_is_refused() {
        Order order = order("1", Action.BUY, BTC, AssetType.CRYPTO, "0.333334", "30000");

        assertRefused(() -> custodian().place(order));
        assertThat(synced(order).fills()).isEmpty();
    }

    @Test
    default void an_open_order_is_reported_and_not_yet_in_the_holdings() {
        closeMarket();
        Order order = buy("1");

        OrderReport placed = custodian().place(order);

        assertThat(placed.state()).isEqualTo(new OrderState.Open());
        CustodianReport report = synced(order);
        assertThat(only(report).state()).isEqualTo(new OrderState.Open());
        assertThat(only(report).filledQuantity()).isZero();
        assertThat(report.holdings().cash()).isEqualTo(Usd.of(10_000));
        assertThat(report.holdings().openOrders())
                .describedAs("orders of the service are no open orders of others")
                .isEmpty();
        assertThat(report.fills()).isEmpty();
    }

    @Test
    default void a_cancelled_order_is_not_filled_any_more() {
        closeMarket();
        Order order = buy("1");
        custodian().place(order);

        OrderReport asked = custodian().cancel(order);

        assertThat(asked.clientOrderId()).isEqualTo(order.clientOrderId());
        assertThat(over(order).state()).isEqualTo(new OrderState.Cancelled());
        openMarket();
        assertThat(synced(order).fills()).isEmpty();
        assertThat(custodian().place(order).state())
                .describedAs("placing it again does not bring it back")
                .isEqualTo(new OrderState.Cancelled());
    }

    @Test
    default void cancelling_an_order_that_is_over_leaves_it_as_it_is() {
        Order order = buy("1");
        custodian().place(order);
        assertThat(over(order).state()).isEqualTo(new OrderState.Filled());

        OrderReport asked = custodian().cancel(order);

        assertThat(asked.state()).isEqualTo(new OrderState.Filled());
        assertThat(quantity(synced(order), order)).isEqualByComparingTo("0.01");
    }

    @Test
    default void cancelling_an_unknown_order_is_refused() {
        assertRefused(() -> custodian().cancel(buy("1")));
        assertThat(synced(buy("1")).orders()).isEmpty();
    }

    @Test
    default void a_cancelling_whose_answer_was_lost_can_be_asked_for_again() {
        closeMarket();
        Order order = buy("1");
        custodian().place(order);
        loseNextAnswer();

        assertAway(() -> custodian().cancel(order));
        custodian().cancel(order);

        assertThat(over(order).state()).isEqualTo(new OrderState.Cancelled());
    }

    @Test
    default void a_part_that_is_filled_is_reported_and_the_rest_can_be_cancelled() {
        fillHalf();
        Order order = buy("1");
        custodian().place(order);

        CustodianReport part = synced(order);
        assertThat(only(part).state()).isEqualTo(new OrderState.PartiallyFilled());
        assertThat(only(part).filledQuantity()).isEqualByComparingTo("0.005");
        assertThat(quantity(part, order)).isEqualByComparingTo("0.005");
        assertThat(part.holdings().cash()).isEqualTo(Usd.of(9_850));
        custodian().cancel(order);

        assertThat(over(order).state()).isEqualTo(new OrderState.Cancelled());
        assertThat(only(synced(order)).filledQuantity()).isEqualByComparingTo("0.005");
        assertThat(quantity(synced(order), order)).isEqualByComparingTo("0.005");
    }

    @Test
    default void the_fills_of_an_order_that_is_over_add_up_to_its_quantity() {
        fillHalf();
        Order order = buy("1");
        custodian().place(order);
        String first = synced(order).fills().get(0).id();
        openMarket();

        OrderReport over = over(order);

        assertThat(over.state()).isEqualTo(new OrderState.Filled());
        CustodianReport report = synced(order);
        assertThat(quantity(report, order)).isEqualByComparingTo(over.filledQuantity());
        assertThat(report.fills())
                .extracting(Fill::id)
                .describedAs("ids are unique and stay")
                .contains(first)
                .doesNotHaveDuplicates()
                .hasSizeGreaterThan(1);
        assertThat(amount(report, order)).isEqualTo(Usd.of(300));
    }

    @Test
    default void a_report_does_not_change_what_it_reports() {
        Order order = buy("1");
        custodian().place(order);

        CustodianReport first = synced(order);
        CustodianReport second = synced(order);

        assertThat(second.fills()).isEqualTo(first.fills());
        assertThat(second.orders()).isEqualTo(first.orders());
        assertThat(second.holdings().differsFrom(first.holdings())).isFalse();
    }

    @Test
    default void an_account_that_nobody_could_reach_is_asked_again() {
        loseNextAnswer();

        assertAway(() -> custodian().sync(query()));
        assertThat(synced().holdings().cash()).isEqualTo(Usd.of(10_000));
    }

    @Test
    default void the_users_own_trades_are_reported_and_are_of_no_request() {
        Order order = buy("1");
        custodian().place(order);
        buyOneSpyElsewhere();

        CustodianReport report = synced(order);

        assertThat(held(report, SPY)).isEqualByComparingTo("1");
        assertThat(report.holdings().cash()).isEqualTo(Usd.of(9_200));
        List<Fill> own = report.fills().stream()
                .filter(fill -> fill.symbol().equals(SPY))
                .toList();
        assertThat(own).singleElement().satisfies(fill -> {
            assertThat(fill.clientOrderId()).isNotEqualTo(order.clientOrderId());
            assertThat(fill.assetType()).isEqualTo(AssetType.TRADFI);
            assertThat(fill.quantity()).isEqualByComparingTo("1");
            assertThat(fill.amountUsd()).isEqualTo(Usd.of(500));
        });
        assertThat(report.fills()).extracting(Fill::id).doesNotHaveDuplicates();
    }

    @Test
    default void open_orders_of_others_are_reported_with_the_holdings() {
        closeMarket();
        int orders = orderSpyElsewhere() ? 1 : 0;
        Order order = buy("1");
        custodian().place(order);

        CustodianReport report = synced(order);

        assertThat(report.holdings().openOrders()).hasSize(orders).allSatisfy(open -> {
            assertThat(open.action()).isEqualTo(Action.BUY);
            assertThat(open.symbol()).isEqualTo(SPY);
            assertThat(open.assetType()).isEqualTo(AssetType.TRADFI);
            assertThat(open.rest()).isEqualTo(Usd.of(500));
        });
        assertThat(report.holdings().openOrders())
                .extracting(OpenOrder::clientOrderId)
                .doesNotContain(order.clientOrderId());
        assertThat(report.orders()).extracting(OrderReport::clientOrderId).containsExactly(order.clientOrderId());
    }

    @Test
    default void the_price_of_an_asset_is_that_of_its_market() {
        Instant before = Instant.now();
        Order wanted = new Order(
                "request-1-1-hod85snpc0",
                user(),
                id(),
                kind(),
                Action.BUY,
                BTC,
                AssetType.CRYPTO,
                Usd.of(300),
                null,
                null,
                null);

        ReferencePrice price = custodian().price(wanted, ONE_PERCENT);

        assertThat(price.price()).isEqualTo(Usd.of(30_000));
        PriceBound bound = PriceBound.of(wanted, ONE_PERCENT, price, before);
        assertThat(bound.limit()).isEqualTo(Usd.of(30_300));
        assertThat(synced().orders()).describedAs("nothing is ordered").isEmpty();
    }

    @Test
    default void a_buy_is_never_filled_above_its_bound() {
        movePrice("30300.01");
        Order order = buy("1");

        assertThat(custodian().place(order).state().isOver()).isFalse();
        assertThat(synced(order).fills()).isEmpty();
        movePrice("30300");

        assertThat(over(order).state()).isEqualTo(new OrderState.Filled());
        assertThat(synced(order).fills())
                .isNotEmpty()
                .allSatisfy(fill -> assertThat(fill.price()).isEqualTo(Usd.of(30_300)));
    }

    @Test
    default void a_sell_is_never_filled_below_its_bound() {
        movePrice("29699.99");
        Order order = order("1", Action.SELL, BTC, AssetType.CRYPTO, "0.5", "29700");

        assertThat(custodian().place(order).state().isOver()).isFalse();
        assertThat(synced(order).fills()).isEmpty();
        movePrice("29700");

        assertThat(over(order).state()).isEqualTo(new OrderState.Filled());
        assertThat(amount(synced(order), order)).isEqualTo(Usd.of(14_850));
    }

    @Test
    default void an_order_never_trades_more_than_its_quantity() {
        fillHalf();
        Order order = buy("1");
        custodian().place(order);
        movePrice("15000");
        openMarket();

        assertThat(over(order).state()).isEqualTo(new OrderState.Filled());
        CustodianReport report = synced(order);
        assertThat(quantity(report, order)).isEqualByComparingTo("0.01");
        assertThat(amount(report, order)).isEqualTo(Usd.of(225));
    }

    @Test
    default void an_order_without_a_bound_is_not_placed() {
        Order bounded = buy("1");
        Order unbounded = new Order(
                bounded.clientOrderId(),
                user(),
                id(),
                kind(),
                Action.BUY,
                BTC,
                AssetType.CRYPTO,
                null,
                bounded.quantity(),
                null,
                null);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> custodian().place(unbounded))
                .withMessage("An order must have a bound.");
        assertThat(synced(unbounded).orders()).isEmpty();
    }

    /** A buy of a hundredth of a BTC, for at most 303 USD. */
    private Order buy(String number) {
        return order(number, Action.BUY, BTC, AssetType.CRYPTO, "0.01", "30300");
    }

    private Order order(
            String number, Action action, AssetSymbol symbol, AssetType type, String quantity, String limit) {
        String clientOrderId = "request-" + number + "-1-hod85snpc0";
        return new Order(
                clientOrderId,
                user(),
                id(),
                kind(),
                action,
                symbol,
                type,
                null,
                new BigDecimal(quantity),
                null,
                Usd.of(limit));
    }

    private SyncQuery query(Order... open) {
        return new SyncQuery(user(), id(), "Broker", kind(), 0, since(), List.of(open));
    }

    private CustodianReport synced(Order... open) {
        CustodianReport report = custodian().sync(query(open));
        assertThat(report.isComplete()).isTrue();
        assertThat(report.fills()).extracting(Fill::executedAt).isSortedAccordingTo(Comparator.naturalOrder());
        return report;
    }

    /** The order once it is over. */
    private OrderReport over(Order order) {
        OrderReport report = only(synced(order));
        for (int i = 1; i < MAX_SYNCS && !report.state().isOver(); i++) {
            report = only(synced(order));
        }
        assertThat(report.state().isOver()).isTrue();
        return report;
    }

    private static OrderReport only(CustodianReport report) {
        assertThat(report.orders()).hasSize(1);
        return report.orders().get(0);
    }

    private static BigDecimal quantity(CustodianReport report, Order order) {
        return report.fills().stream()
                .filter(fill -> order.clientOrderId().equals(fill.clientOrderId()))
                .map(Fill::quantity)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static Usd amount(CustodianReport report, Order order) {
        return report.fills().stream()
                .filter(fill -> order.clientOrderId().equals(fill.clientOrderId()))
                .map(Fill::amountUsd)
                .reduce(Usd.ZERO, Usd::plus);
    }

    private static BigDecimal held(CustodianReport report, AssetSymbol symbol) {
        return report.holdings().positions().stream()
                .filter(position -> position.symbol().equals(symbol))
                .map(Position::quantity)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static void assertAway(ThrowingCallable call) {
        assertThatExceptionOfType(CustodianFailure.class).isThrownBy(call).matches(failure -> !failure.isRefusal());
    }

    private static String assertRefused(ThrowingCallable call) {
        CustodianFailure failure = catchThrowableOfType(CustodianFailure.class, call);
        assertThat(failure).isNotNull().matches(CustodianFailure::isRefusal);
        return failure.reason();
    }
}
