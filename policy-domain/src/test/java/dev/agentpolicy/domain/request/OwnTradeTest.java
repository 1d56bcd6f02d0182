package dev.agentpolicy.domain.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An own trade as a user sends it. */
class OwnTradeTest {
    private static final String WHOLE =
            "{\"action\":\"sell\",\"symbol\":\"btc\",\"assetType\":\"crypto\",\"quantity\":\"0.5\",\"price\":60000}";

    @Test
    void every_field_is_read_and_becomes_an_order_of_a_quantity() {
        OwnTrade trade = OwnTrade.read(JsonSamples.object(WHOLE)).orElseThrow();
        UserId user = new UserId(new UUID(0, 1));

        assertThat(trade)
                .isEqualTo(new OwnTrade(
                        Action.SELL, new AssetSymbol("BTC"), AssetType.CRYPTO, new BigDecimal("0.5"), Usd.of(60_000)));
        assertThat(trade.order("user-1", user, "paper"))
                .isEqualTo(new Order(
                        "user-1",
                        user,
                        "paper",
                        CustodianKind.PAPER,
                        Action.SELL,
                        new AssetSymbol("BTC"),
                        AssetType.CRYPTO,
                        null,
                        new BigDecimal("0.5"),
                        Usd.of(60_000),
                        null));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                    | action symbol assetType quantity price
            {"quantity":0,"price":0}              | quantity price
            {"quantity":"0.000000000000000001"}   | -
            {"quantity":-1,"price":-1}            | quantity price
            {"action":"hold","symbol":"a b"}      | action symbol
            {"note":"x"}                          | note
            """)
    void missing_and_out_of_range_fields_are_named(String changes, String fields) {
        Document sent = changes.equals("{}")
                ? JsonSamples.object("{}")
                : JsonSamples.merged(JsonSamples.object(WHOLE), JsonSamples.object(changes));

        String found = OwnTrade.read(sent)
                .<String>fold(
                        read -> "-",
                        problems -> problems.stream().map(Problem::field).collect(Collectors.joining(" ")));

        assertThat(found).isEqualTo(fields);
    }
}
