package dev.agentpolicy.app.custodian;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult;
import dev.agentpolicy.domain.request.OrderResult.Filled;
import dev.agentpolicy.domain.request.OrderResult.NotFilled;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PaperFillTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00.000001Z");
    private static final UserId USER = new UserId(new UUID(1, 2));

    /** Orders on a book of 1000.50 USD, 0.3 BTC at 30000 and 10 SPY at 0 USD. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            buy BTC usd 1000.50      | 0.03335              | 30000  | 1000.5       | 0         | 0.33335
            buy BTC usd 100          | 0.003333333333333333 | 30000  | 100          | 900.5     | 0.303333333333333333
            buy BTC usd 0.00000001   | 0.000000000000333333 | 30000  | 0.00000001   | 1000.49999999 | 0.300000000000333333
            sell BTC usd 9000        | 0.3                  | 30000  | 9000         | 10000.5   | -
            sell BTC usd 100         | 0.003333333333333333 | 30000  | 100          | 1100.5    | 0.296666666666666667
            buy NEW usd 12.34        | 12.34                | 1      | 12.34        | 988.16    | 12.34
            buy BTC units 0.01 @ 20000 | 0.01               | 20000  | 200          | 800.5     | 0.31
            sell BTC units 0.3 @ 31000 | 0.3                | 31000  | 9300         | 10300.5   | -
            buy SPY units 2 @ 500    | 2                    | 500    | 1000         | 0.5       | 12
            """)
    void an_order_moves_exactly(
            String order, BigDecimal quantity, String price, String amount, String cashAfter, String heldAfter) {
        Filled filled = (Filled) fill(order(order));

        assertThat(filled.execution().quantity()).isEqualByComparingTo(quantity);
        assertThat(filled.execution().price()).isEqualTo(Usd.of(price));
        assertThat(filled.execution().amountUsd()).isEqualTo(Usd.of(amount));
        assertThat(filled.execution().externalId()).isEqualTo("paper-order-1");
        assertThat(filled.execution().executedAt()).isEqualTo(NOW);
        assertThat(filled.holdings().cash()).isEqualTo(Usd.of(cashAfter));
        assertThat(filled.holdings().revision()).isEqualTo(8);
        assertThat(filled.holdings().syncedAt()).isEqualTo(NOW);
        assertThat(held(filled, order(order))).isEqualTo(heldAfter);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            buy BTC usd 1000.51        | Broker has 1000.5 USD in cash; the buy costs 1000.51 USD.
            sell BTC usd 9000.00000001 | Broker holds 0.3 of BTC; the sell is of 0.300000000000333333.
            sell NEW usd 1             | Broker holds 0 of NEW; the sell is of 1.
            sell SPY usd 1             | Broker has no price for SPY.
            buy SPY usd 1              | Broker has no price for SPY.
            buy BTC usd 0              | The order is for less of BTC than can be traded.
            sell BTC usd 0             | The order is for less of BTC than can be traded.
            buy BTC units 1 @ 1000.51  | Broker has 1000.5 USD in cash; the buy costs 1000.51 USD.
            """)
    void an_order_is_refused_whole(String order, String reason) {
        assertThat(fill(order(order))).isEqualTo(new NotFilled(reason));
    }

    @Test
    void an_amount_too_small_for_any_unit_moves_no_cash() {
        Order order = order("sell BTC usd 0.00000001");
        CustodianHoldings dear =
                book(new Position(order.symbol(), order.assetType(), BigDecimal.ONE, Usd.of("999999999999")));

        assertThat(PaperFill.of(order, Optional.of(dear), NOW))
                .isEqualTo(new NotFilled("The order is for less of BTC than can be traded."));
    }

    @Test
    void an_order_without_a_book_is_refused() {
        assertThat(PaperFill.of(order("buy BTC usd 1"), Optional.empty(), NOW))
                .isEqualTo(new NotFilled("There is no custodian broker."));
    }

    @Test
    void the_other_positions_stay_where_they_are() {
        Filled filled = (Filled) fill(order("buy BTC usd 300"));

        assertThat(filled.holdings().positions())
                .extracting(position -> position.symbol() + " " + position.quantity())
                .containsExactly("BTC 0.31", "SPY 10");
        assertThat(filled.holdings().name()).isEqualTo("Broker");
    }

    @Test
    void one_symbol_in_two_sleeves_is_two_assets() {
        Order order = new Order(
                "order-1",
                USER,
                "broker",
                Action.SELL,
                new AssetSymbol("BTC"),
                AssetType.TRADFI,
                Usd.of(1),
                null,
                null);

        assertThat(fill(order)).isEqualTo(new NotFilled("Broker holds 0 of BTC; the sell is of 1."));
    }

    private static OrderResult fill(Order order) {
        return PaperFill.of(
                order,
                Optional.of(book(
                        new Position(new AssetSymbol("BTC"), AssetType.CRYPTO, new BigDecimal("0.3"), Usd.of(30_000)),
                        new Position(new AssetSymbol("SPY"), AssetType.TRADFI, BigDecimal.TEN, Usd.ZERO))),
                NOW);
    }

    private static CustodianHoldings book(Position... positions) {
        return new CustodianHoldings(
                "broker",
                "Broker",
                CustodianHoldings.CustodianKind.PAPER,
                NOW.minusSeconds(60),
                7,
                Usd.of("1000.5"),
                List.of(positions));
    }

    /** {@code buy BTC usd 100}, {@code sell SPY units 2 @ 500}. */
    private static Order order(String text) {
        String[] words = text.trim().split(" ");
        boolean isAmount = words[2].equals("usd");
        BigDecimal number = new BigDecimal(words[3]);
        return new Order(
                "order-1",
                USER,
                "broker",
                Action.valueOf(words[0].toUpperCase(Locale.ROOT)),
                new AssetSymbol(words[1]),
                words[1].equals("SPY") ? AssetType.TRADFI : AssetType.CRYPTO,
                isAmount ? new Usd(number) : null,
                isAmount ? null : number,
                words.length > 5 ? Usd.of(words[5]) : null);
    }

    private static String held(Filled filled, Order order) {
        return filled.holdings()
                .position(order.symbol(), order.assetType())
                .map(position -> position.quantity().toPlainString())
                .orElse("-");
    }
}
