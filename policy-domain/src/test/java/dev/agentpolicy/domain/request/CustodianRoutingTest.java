package dev.agentpolicy.domain.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CustodianRoutingTest {

    /** Custodians written as {@code id cash SYMBOL value ...}, in the order they were added. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            buy 100 BTC crypto  | a 100                                | a
            buy 100 BTC crypto  | a 99.99                              | -
            buy 100 BTC crypto  | a 500, b 500                         | a
            buy 100 BTC crypto  | a 500, b 500 BTC 1                   | b
            buy 100 BTC crypto  | a 500, b 99 BTC 1                    | a
            buy 100 BTC crypto  | a 500 BTC 1, b 500 BTC 900           | a
            buy 100 BTC crypto  | a 60, b 60                           | -
            buy 100 BTC tradfi  | a 500, b 500 BTC 1                   | a
            buy 0 BTC crypto    | a 0                                  | a
            sell 100 BTC crypto | a 500                                | -
            sell 100 BTC crypto | a 500 BTC 99.99                      | -
            sell 100 BTC crypto | a 0 BTC 100                          | a
            sell 100 BTC crypto | a 0 BTC 99, b 0 BTC 101              | b
            sell 100 BTC crypto | a 0 BTC 60, b 0 BTC 60               | -
            sell 100 BTC crypto | a 0 BTC 200, b 0 BTC 100             | a
            sell 100 BTC tradfi | a 0 BTC 200                          | -
            """)
    void a_trade_goes_to_the_fitting_custodian(String trade, String custodians, String expected) {
        Portfolio portfolio = new Portfolio(
                1,
                Arrays.stream(custodians.split(", "))
                        .map(CustodianRoutingTest::custodian)
                        .toList(),
                Usd.of(1),
                SampleValues.NOON);

        assertThat(CustodianRouting.custodian(SampleValues.trade(trade), portfolio)
                        .map(CustodianHoldings::id)
                        .orElse("-"))
                .isEqualTo(expected);
    }

    @Test
    void without_a_portfolio_no_custodian_fits() {
        assertThat(CustodianRouting.custodian(SampleValues.trade("buy 0 BTC crypto"), null))
                .isEmpty();
    }

    @Test
    void the_message_says_what_is_missing() {
        assertThat(CustodianRouting.noneFits(SampleValues.trade("buy 100.5 BTC crypto")))
                .isEqualTo("No single custodian has 100.5 USD in cash for this buy.");
        assertThat(CustodianRouting.noneFits(SampleValues.trade("sell 100.5 BTC crypto")))
                .isEqualTo("No single custodian holds 100.5 USD of BTC to sell.");
    }

    private static CustodianHoldings custodian(String text) {
        String[] words = text.trim().split(" ");
        List<Position> positions = words.length < 4
                ? List.of()
                : List.of(new Position(new AssetSymbol(words[2]), AssetType.CRYPTO, BigDecimal.ONE, Usd.of(words[3])));
        return new CustodianHoldings(
                words[0],
                words[0],
                CustodianHoldings.CustodianKind.PAPER,
                SampleValues.NOON,
                1,
                Usd.of(words[1]),
                positions);
    }
}
