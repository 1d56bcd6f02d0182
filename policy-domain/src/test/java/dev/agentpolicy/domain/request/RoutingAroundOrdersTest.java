package dev.agentpolicy.domain.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.portfolio.OpenOrder;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.Trade;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What open orders hold is not there for another trade. */
class RoutingAroundOrdersTest {

    /**
     * The first custodian has 500 USD in cash, 400 of BTC and one open order; the second has 1000 in cash and 900 of BTC.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            buy 100 BTC crypto  | buy 400 SPY tradfi  | first
            buy 101 BTC crypto  | buy 400 SPY tradfi  | second
            buy 501 BTC crypto  | sell 300 SPY tradfi | second
            buy 500 BTC crypto  | sell 300 SPY tradfi | first
            sell 100 BTC crypto | sell 300 BTC crypto | first
            sell 101 BTC crypto | sell 300 BTC crypto | second
            sell 400 BTC crypto | sell 300 SPY tradfi | first
            sell 400 BTC crypto | sell 300 BTC tradfi | first
            sell 400 BTC crypto | buy 300 SPY tradfi  | first
            """)
    void a_trade_goes_where_the_rest_is_enough(String trade, String open, String expected) {
        Portfolio portfolio = new Portfolio(
                1,
                List.of(custodian("first", 500, 400).with(List.of(open(open))), custodian("second", 1_000, 900)),
                Usd.of(1),
                SampleValues.NOON);

        assertThat(CustodianRouting.custodian(SampleValues.trade(trade), portfolio))
                .map(CustodianHoldings::id)
                .contains(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            buy 101 BTC crypto  | buy 400 SPY tradfi
            sell 101 BTC crypto | sell 300 BTC crypto
            buy 0.01 BTC crypto | buy 600 SPY tradfi
            """)
    void a_trade_that_no_rest_is_enough_for_goes_nowhere(String trade, String open) {
        Portfolio portfolio = Portfolio.first(custodian("first", 500, 400), SampleValues.NOON)
                .withOpenOrders("first", List.of(open(open)), SampleValues.NOON);

        assertThat(CustodianRouting.custodian(SampleValues.trade(trade), portfolio))
                .isEmpty();
    }

    private static OpenOrder open(String text) {
        Trade trade = SampleValues.trade(text);
        return new OpenOrder("web-1", trade.action(), trade.asset(), trade.assetType(), trade.amount());
    }

    private static CustodianHoldings custodian(String id, long cash, long btc) {
        return new CustodianHoldings(
                id,
                id,
                CustodianKind.ALPACA,
                SampleValues.NOON,
                1,
                Usd.of(cash),
                List.of(new Position(new AssetSymbol("BTC"), AssetType.CRYPTO, BigDecimal.ONE, Usd.of(btc))));
    }
}
