package dev.agentpolicy.domain.custodian;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.sample.Seeded;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How orders change the book of a paper custodian. */
class PaperMatchingTest {
    private static final UserId USER = new UserId(new UUID(0, 1));
    private static final AssetSymbol BTC = new AssetSymbol("BTC");
    private static final AssetSymbol ETH = new AssetSymbol("ETH");
    private static final PaperMarket CLOSED = new PaperMarket(false, Fraction.ONE, Set.of());
    private static final PaperBook BOOK = book(PaperMarket.OPEN);

    @Test
    void an_asset_without_a_price_is_not_traded() {
        AssetSymbol grove = new AssetSymbol("GROVE");

        PaperBook after = place(BOOK, order("a", Action.BUY, grove, "10"));

        assertThat(after.orders().get("a").state())
                .isEqualTo(new OrderState.Rejected("The paper custodian has no price for GROVE; give it one."));
        assertThat(after.cash()).isEqualTo(BOOK.cash());
        assertThat(after.revision()).isEqualTo(BOOK.revision() + 1);
    }

    @Test
    void an_asset_that_the_market_rejects_is_not_traded() {
        PaperBook after =
                place(book(new PaperMarket(true, Fraction.ONE, Set.of(ETH))), order("a", Action.BUY, ETH, "10"));

        assertThat(after.orders().get("a").state()).isEqualTo(new OrderState.Rejected("Paper rejects orders for ETH."));
    }

    @Test
    void more_than_the_cash_or_the_position_is_not_traded() {
        assertThat(place(BOOK, order("a", Action.BUY, ETH, "1000.01"))
                        .orders()
                        .get("a")
                        .state())
                .isEqualTo(new OrderState.Rejected("Paper has 1000 USD in cash; the buy costs 1000.01 USD."));
        assertThat(place(BOOK, order("a", Action.SELL, BTC, "60001"))
                        .orders()
                        .get("a")
                        .state())
                .isInstanceOf(OrderState.Rejected.class);
        assertThat(place(BOOK, order("a", Action.SELL, ETH, "1"))
                        .orders()
                        .get("a")
                        .state())
                .isInstanceOf(OrderState.Rejected.class);
    }

    @Test
    void placing_an_order_again_changes_nothing() {
        PaperBook once = place(BOOK, order("a", Action.BUY, ETH, "100"));

        assertThat(place(once, order("a", Action.BUY, ETH, "100"))).isEqualTo(once);
        PaperBook rejected = place(BOOK, order("b", Action.BUY, ETH, "5000"));
        assertThat(place(rejected, order("b", Action.BUY, ETH, "5000"))).isEqualTo(rejected);
    }

    @Test
    void a_first_buy_makes_a_position_and_a_last_sell_removes_it_and_keeps_its_price() {
        PaperBook bought = place(BOOK, order("a", Action.BUY, ETH, "100"));

        assertThat(held(bought, ETH)).isEqualByComparingTo("0.04");
        assertThat(bought.cash()).isEqualTo(Usd.of(900));
        PaperBook sold = place(bought, order("b", Action.SELL, BTC, "60000"));
        assertThat(held(sold, BTC)).isZero();
        assertThat(sold.prices()).containsEntry(BTC, Usd.of(30_000));
        assertThat(held(place(sold, order("c", Action.BUY, BTC, "300")), BTC)).isEqualByComparingTo("0.01");
    }

    @Test
    void in_a_closed_market_orders_stay_open_until_it_opens() {
        PaperBook open = place(book(CLOSED), order("a", Action.BUY, ETH, "100"));
        assertThat(open.orders().get("a").state()).isEqualTo(new OrderState.Open());
        assertThat(PaperMatching.advance(open, SampleValues.NOON)).isEqualTo(open);

        PaperBook filled =
                PaperMatching.advance(PaperMatching.replace(open, setup(PaperMarket.OPEN)), SampleValues.NOON);

        assertThat(filled.orders().get("a").state()).isEqualTo(new OrderState.Filled());
        assertThat(filled.cash()).isEqualTo(Usd.of(900));
        assertThat(filled.revision()).isGreaterThan(open.revision());
    }

    @Test
    void an_open_order_that_the_new_cash_does_not_cover_is_rejected_with_that_reason() {
        PaperBook open = place(book(CLOSED), order("a", Action.BUY, ETH, "1000"));
        CustodianHoldings poor = new CustodianHoldings(
                "paper", "Paper", CustodianKind.PAPER, SampleValues.NOON, 1, Usd.of(999), List.of());

        PaperBook after = PaperMatching.advance(
                PaperMatching.replace(open, new PaperSetup(poor, Map.of(ETH, Usd.of(2_500)), PaperMarket.OPEN)),
                SampleValues.NOON);

        assertThat(after.orders().get("a").state())
                .isEqualTo(new OrderState.Rejected("Paper has 999 USD in cash; the buy costs 1000 USD."));
        assertThat(after.cash()).isEqualTo(Usd.of(999));
    }

    @Test
    void a_part_is_filled_once_and_the_rest_when_the_market_fills_whole_orders() {
        PaperBook part = place(book(share("0.3")), order("a", Action.BUY, ETH, "100.01"));
        assertThat(part.orders().get("a").state()).isEqualTo(new OrderState.PartiallyFilled());
        assertThat(part.cash()).isEqualTo(Usd.of(970));
        assertThat(PaperMatching.advance(part, SampleValues.NOON)).isEqualTo(part);

        PaperBook rest = PaperMatching.advance(with(part, PaperMarket.OPEN), SampleValues.NOON);

        assertThat(rest.orders().get("a").state()).isEqualTo(new OrderState.Filled());
        assertThat(rest.orders().get("a").fills()).extracting(Fill::id).containsExactly("paper-a", "paper-a-2");
        assertThat(rest.cash()).isEqualTo(Usd.of("899.99"));
    }

    @Test
    void only_open_orders_can_be_cancelled_and_their_fills_stay() {
        PaperBook part = place(book(share("0.5")), order("a", Action.BUY, ETH, "100"));

        PaperBook cancelled = PaperMatching.cancel(part, "a");

        assertThat(cancelled.orders().get("a").state()).isEqualTo(new OrderState.Cancelled());
        assertThat(cancelled.orders().get("a").fills()).hasSize(1);
        assertThat(PaperMatching.advance(with(cancelled, PaperMarket.OPEN), SampleValues.NOON)
                        .cash())
                .isEqualTo(Usd.of(950));
        assertThat(PaperMatching.cancel(cancelled, "a")).isEqualTo(cancelled);
        assertThat(PaperMatching.cancel(part, "unknown")).isEqualTo(part);
    }

    @Test
    void an_agreed_price_is_traded_whole_in_any_market() {
        Order own = new Order(
                "own",
                USER,
                "paper",
                CustodianKind.PAPER,
                Action.BUY,
                ETH,
                AssetType.CRYPTO,
                null,
                new BigDecimal("0.1"),
                Usd.of(2_000),
                null);

        PaperBook after = place(book(new PaperMarket(false, Fraction.ONE, Set.of())), own);

        assertThat(after.orders().get("own").state()).isEqualTo(new OrderState.Filled());
        assertThat(after.cash()).isEqualTo(Usd.of(800));
        assertThat(after.positions())
                .contains(new Position(ETH, AssetType.CRYPTO, new BigDecimal("0.1"), Usd.of(2_000)));
    }

    @Test
    void quantities_are_cut_to_18_decimals_and_an_order_for_less_is_rejected() {
        PaperBook dear = book(PaperMarket.OPEN, "3");

        assertThat(held(place(dear, order("a", Action.BUY, ETH, "1")), ETH))
                .isEqualByComparingTo("0.333333333333333333");
        assertThat(held(place(dear, order("a", Action.BUY, ETH, "0.00000001")), ETH))
                .isEqualByComparingTo("0.000000003333333333");
        assertThat(place(book(PaperMarket.OPEN, "1000000000000"), order("a", Action.BUY, ETH, "0.00000000"))
                        .orders()
                        .get("a")
                        .state())
                .isEqualTo(new OrderState.Rejected("The order is for less of ETH than can be traded."));
    }

    @Test
    void a_report_adds_up_the_fills() {
        PaperBook part = place(book(share("0.5")), order("a", Action.BUY, ETH, "100"));
        PaperBook whole = PaperMatching.advance(with(part, PaperMarket.OPEN), SampleValues.NOON);

        assertThat(PaperMatching.report(part.orders().get("a")).filledQuantity())
                .isEqualByComparingTo("0.02");
        assertThat(PaperMatching.report(whole.orders().get("a")))
                .isEqualTo(new OrderReport("a", "paper-a", new OrderState.Filled(), new BigDecimal("0.04")));
    }

    @Test
    void cash_and_positions_are_conserved_by_whatever_is_done() {
        Seeded.times(200, random -> {
            PaperBook book = BOOK;
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                book = step(book, random, ids);
            }
            conserved(book);
        });
    }

    private static PaperBook step(PaperBook book, Random random, List<String> ids) {
        switch (random.nextInt(5)) {
            case 0 -> {
                PaperMarket market = new PaperMarket(
                        random.nextBoolean(), new Fraction(BigDecimal.valueOf(1 + random.nextInt(10), 1)), Set.of());
                return with(book, market);
            }
            case 1 -> {
                return ids.isEmpty() ? book : PaperMatching.cancel(book, ids.get(random.nextInt(ids.size())));
            }
            case 2 -> {
                return PaperMatching.advance(book, SampleValues.NOON);
            }
            default -> {
                String id = "o" + random.nextInt(20);
                ids.add(id);
                Action action = random.nextBoolean() ? Action.BUY : Action.SELL;
                AssetSymbol symbol = random.nextBoolean() ? BTC : ETH;
                String amount = BigDecimal.valueOf(random.nextInt(80_000), 2).toPlainString();
                return place(book, order(id, action, symbol, amount));
            }
        }
    }

    /** What is held is what was held, and what was bought less what was sold; the same for cash. */
    private static void conserved(PaperBook book) {
        Usd cash = BOOK.cash();
        BigDecimal btc = held(BOOK, BTC);
        BigDecimal eth = held(BOOK, ETH);
        for (PaperOrder order : book.orders().values()) {
            for (Fill fill : order.fills()) {
                boolean isBuy = fill.action() == Action.BUY;
                cash = isBuy ? cash.minus(fill.amountUsd()) : cash.plus(fill.amountUsd());
                BigDecimal moved = isBuy ? fill.quantity() : fill.quantity().negate();
                btc = fill.symbol().equals(BTC) ? btc.add(moved) : btc;
                eth = fill.symbol().equals(ETH) ? eth.add(moved) : eth;
            }
            Usd filled = order.fills().stream().map(Fill::amountUsd).reduce(Usd.ZERO, Usd::plus);
            assertThat(filled.isAbove(order.order().amount())).isFalse();
            assertThat(order.state() instanceof OrderState.Filled)
                    .isEqualTo(filled.equals(order.order().amount()) && !filled.isZero());
        }
        assertThat(book.cash()).isEqualTo(cash);
        assertThat(cash.isBelow(Usd.ZERO)).isFalse();
        assertThat(held(book, BTC)).isEqualByComparingTo(btc);
        assertThat(held(book, ETH)).isEqualByComparingTo(eth);
    }

    private static PaperBook place(PaperBook book, Order order) {
        return PaperMatching.place(book, order, SampleValues.NOON);
    }

    private static Order order(String id, Action action, AssetSymbol symbol, String amount) {
        return new Order(
                id,
                USER,
                "paper",
                CustodianKind.PAPER,
                action,
                symbol,
                AssetType.CRYPTO,
                Usd.of(amount),
                null,
                null,
                action == Action.BUY ? new Usd(BigDecimal.TEN.pow(30)) : Usd.of("0.01"));
    }

    private static PaperMarket share(String part) {
        return new PaperMarket(true, new Fraction(new BigDecimal(part)), Set.of());
    }

    private static PaperBook book(PaperMarket market) {
        return PaperMatching.replace(PaperBook.none("paper"), setup(market));
    }

    private static PaperBook book(PaperMarket market, String ethPrice) {
        return PaperMatching.replace(PaperBook.none("paper"), setup(market, ethPrice));
    }

    private static PaperBook with(PaperBook book, PaperMarket market) {
        return new PaperBook(
                book.custodian(),
                book.name(),
                book.revision() + 1,
                book.cash(),
                book.positions(),
                book.prices(),
                market,
                book.orders());
    }

    private static PaperSetup setup(PaperMarket market) {
        return setup(market, "2500");
    }

    private static PaperSetup setup(PaperMarket market, String ethPrice) {
        Position btc = new Position(BTC, AssetType.CRYPTO, new BigDecimal("2"), Usd.of(30_000));
        CustodianHoldings holdings = new CustodianHoldings(
                "paper", "Paper", CustodianKind.PAPER, SampleValues.NOON, 1, Usd.of(1_000), List.of(btc));
        return new PaperSetup(holdings, Map.of(ETH, Usd.of(ethPrice)), market);
    }

    private static BigDecimal held(PaperBook book, AssetSymbol symbol) {
        return book.positions().stream()
                .filter(position -> position.symbol().equals(symbol))
                .map(Position::quantity)
                .reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
