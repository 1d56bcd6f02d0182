package dev.agentpolicy.domain.trade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Problem;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.quantity.Percent;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TradePayloadTest {
    private static final String RIGHT = "\"action\":\"buy\",\"assetSymbol\":\"BTC\",\"assetType\":\"crypto\"";

    @Test
    void the_five_fields_are_read() {
        String sent =
                "{\"action\":\"sell\",\"assetSymbol\":\"brk.b\",\"assetType\":\"tradfi\",\"amountUsd\":5000,\"expectedSlippagePct\":0.5}";

        assertThat(TradePayload.read(JsonSamples.object(sent)).orElseThrow())
                .isEqualTo(new SentTrade(
                        new Trade(
                                Action.SELL,
                                new AssetSymbol("BRK.B"),
                                AssetType.TRADFI,
                                Usd.of(5000),
                                Percent.of("0.5")),
                        "brk.b"));
    }

    @Test
    void a_trade_without_an_amount_has_no_such_member() {
        assertThat(TradePayload.readWithoutAmount(JsonSamples.object("{" + RIGHT + "}"))
                        .orElseThrow()
                        .trade())
                .isEqualTo(new Trade(Action.BUY, new AssetSymbol("BTC"), AssetType.CRYPTO, Usd.ZERO, null));
        assertThat(TradePayload.readWithoutAmount(JsonSamples.object("{" + RIGHT + ",\"amountUsd\":5}"))
                        .problems())
                .extracting(Problem::message)
                .containsExactly("amountUsd is not a known field.");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            0, 0
            0.0, 0
            0e1000000000, 0
            0e-1000000000, 0
            1.000000000000000000000000000000000000000000000000000000000000, 1
            -0, 0
            1.10, 1.1
            1E3, 1000
            1e12, 1000000000000
            1000000000000.00000000, 1000000000000
            0.00000001, 0.00000001
            12345.123456780000, 12345.12345678
            1e-8, 0.00000001
            """)
    void an_amount_is_a_number_from_0_to_a_trillion_with_eight_decimals(String sent, String meant) {
        assertThat(read("amountUsd\":" + sent).orElseThrow().amount().toString())
                .isEqualTo(meant);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -0.01                 | amountUsd must be a number from 0 to 1000000000000.
            1000000000000.01      | amountUsd must be a number from 0 to 1000000000000.
            1e999                 | amountUsd must be a number from 0 to 1000000000000.
            1e1000000000          | amountUsd must be a number from 0 to 1000000000000.
            -1e-1000000000        | amountUsd must be a number from 0 to 1000000000000.
            1e-999                | amountUsd must have at most 8 decimals.
            1e-1000000000         | amountUsd must have at most 8 decimals.
            1e99999999999999      | amountUsd has too many digits.
            -1e99999999999999     | amountUsd has too many digits.
            0.000000001           | amountUsd must have at most 8 decimals.
            1.123456789           | amountUsd must have at most 8 decimals.
            "5000"                | amountUsd must be a number.
            true                  | amountUsd must be a number.
            []                    | amountUsd must be a number.
            {}                    | amountUsd must be a number.
            null                  | amountUsd must not be null.
            """)
    void any_other_amount_is_refused(String sent, String message) {
        assertThat(read("amountUsd\":" + sent).problems()).containsExactly(new Problem("amountUsd", message));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            -0.1    | expectedSlippagePct must be a number from 0 to 100.
            100.01  | expectedSlippagePct must be a number from 0 to 100.
            1e999   | expectedSlippagePct must be a number from 0 to 100.
            1e-101  | expectedSlippagePct must have at most 100 decimals.
            "0.5"   | expectedSlippagePct must be a number.
            false   | expectedSlippagePct must be a number.
            """)
    void slippage_is_a_number_from_0_to_100(String sent, String message) {
        assertThat(read("amountUsd\":1,\"expectedSlippagePct\":" + sent).problems())
                .containsExactly(new Problem("expectedSlippagePct", message));
    }

    @Test
    void slippage_may_be_a_double_with_all_its_digits() {
        for (BigDecimal sent : List.of(new BigDecimal(0.1), new BigDecimal(0.7), new BigDecimal("1e-100"))) {
            Trade trade = read("amountUsd\":1,\"expectedSlippagePct\":" + sent).orElseThrow();

            assertThat(trade.expectedSlippage()).isEqualTo(new Percent(sent));
            assertThat(trade.slippage().value()).isEqualByComparingTo(sent.movePointLeft(2));
        }
    }

    @Test
    void slippage_is_optional_and_0_by_default() {
        Trade absent = read("amountUsd\":1").orElseThrow();

        assertThat(absent.expectedSlippage()).isNull();
        assertThat(absent.slippage().isAbove(Percent.ZERO.toFraction())).isFalse();
        assertThat(read("amountUsd\":1,\"expectedSlippagePct\":null").orElseThrow())
                .isEqualTo(absent);
        assertThat(read("amountUsd\":1,\"expectedSlippagePct\":100").isRead()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            "action":"hold","assetSymbol":"BTC","assetType":"crypto","amountUsd":1 | action must be buy or sell.
            "action":"BUY","assetSymbol":"BTC","assetType":"crypto","amountUsd":1  | action must be buy or sell.
            "action":1,"assetSymbol":"BTC","assetType":"crypto","amountUsd":1      | action must be buy or sell.
            "action":null,"assetSymbol":"BTC","assetType":"crypto","amountUsd":1   | action must not be null.
            "assetSymbol":"BTC","assetType":"crypto","amountUsd":1                 | action is missing.
            "action":"buy","assetSymbol":"","assetType":"crypto","amountUsd":1     | assetSymbol must be 1 to 32 of A-Z a-z 0-9 . - / _.
            "action":"buy","assetSymbol":"B C","assetType":"crypto","amountUsd":1  | assetSymbol must be 1 to 32 of A-Z a-z 0-9 . - / _.
            "action":"buy","assetSymbol":"BTC ","assetType":"crypto","amountUsd":1 | assetSymbol must be 1 to 32 of A-Z a-z 0-9 . - / _.
            "action":"buy","assetSymbol":"ÄPFEL","assetType":"crypto","amountUsd":1 | assetSymbol must be 1 to 32 of A-Z a-z 0-9 . - / _.
            "action":"buy","assetSymbol":5,"assetType":"crypto","amountUsd":1      | assetSymbol must be a string.
            "action":"buy","assetType":"crypto","amountUsd":1                      | assetSymbol is missing.
            "action":"buy","assetSymbol":"BTC","assetType":"gold","amountUsd":1    | assetType must be crypto or tradfi.
            "action":"buy","assetSymbol":"BTC","amountUsd":1                       | assetType is missing.
            "action":"buy","assetSymbol":"BTC","assetType":"crypto"                | amountUsd is missing.
            "action":"buy","action":"sell","assetSymbol":"BTC","assetType":"crypto","amountUsd":1 | action appears more than once.
            "action":"buy","assetSymbol":"BTC","assetType":"crypto","amountUsd":1,"amount":1 | amount is not a known field.
            "action":"buy","assetSymbol":"BTC","assetType":"crypto","amountUsd":1,"rationale":"x" | rationale is not a known field.
            """)
    void a_wrong_field_has_one_problem(String members, String message) {
        assertThat(TradePayload.read(JsonSamples.object("{" + members + "}")).problems())
                .extracting(Problem::message)
                .containsExactly(message);
    }

    @Test
    void every_wrong_field_is_reported_once() {
        List<Problem> problems = TradePayload.read(
                        JsonSamples.object(
                                "{\"action\":1,\"action\":2,\"assetSymbol\":\"?\",\"amountUsd\":-1,\"expectedSlippagePct\":-1,\"x\":0}"))
                .problems();

        assertThat(problems)
                .extracting(Problem::field)
                .containsExactlyInAnyOrder(
                        "action", "assetSymbol", "assetType", "amountUsd", "expectedSlippagePct", "x");
        assertThat(TradePayload.violations(problems))
                .extracting(Violation::rule)
                .containsOnly(Rule.INVALID_PAYLOAD)
                .hasSize(6);
    }

    @Test
    void unknown_names_are_shortened_and_cleaned() {
        String name = "a\\u0001\\u0000" + "b".repeat(1000);

        assertThat(TradePayload.read(JsonSamples.object("{\"" + name + "\":1,\"" + name + "\":2}"))
                        .problems())
                .extracting(Problem::field)
                .contains("a??" + "b".repeat(37) + "...");
    }

    @Test
    void only_the_first_unknown_fields_are_reported() {
        String flood = IntStream.range(0, 5_000)
                .mapToObj(i -> "\"f" + i + "\":" + i)
                .collect(Collectors.joining(",", "{", "}"));

        assertThat(TradePayload.violations(
                        TradePayload.read(JsonSamples.object(flood)).problems()))
                .hasSize(Fields.MAX_PROBLEMS);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            btc, BTC
            Brk.B, BRK.B
            BTC-USD, BTC-USD
            a/b_c.d-9, A/B_C.D-9
            12345678901234567890123456789012, 12345678901234567890123456789012
            """)
    void symbols_are_compared_in_upper_case(String sent, String meant) {
        assertThat(AssetSymbol.of(sent)).hasToString(meant);
        assertThat(AssetSymbol.of(sent + "x".repeat(32))).isNull();
    }

    @Test
    void a_trade_survives_being_signed() {
        for (String text : List.of(
                "buy 1.10 btc crypto",
                "sell 0 SPY tradfi 0.50%",
                "buy 1e12 BTC crypto 100%",
                "buy 1 BTC crypto 99." + "9".repeat(100) + "%")) {
            Trade trade = SampleValues.trade(text);
            String signed = CanonicalForm.write(TradePayload.toSigned(trade));

            assertThat(TradePayload.readSigned(CanonicalForm.read(signed)).orElseThrow())
                    .isEqualTo(trade);
        }
    }

    @Test
    void the_arriving_amount_is_reduced_by_slippage() {
        Trade trade = SampleValues.trade("buy 5000 BTC crypto 0.5%");

        assertThat(trade.arriving()).isEqualTo(Usd.of(4_975));
        assertThat(trade.slippage().value()).isEqualTo(new BigDecimal("0.005"));
    }

    private static Reading<Trade> read(String last) {
        return TradePayload.read(JsonSamples.object("{" + RIGHT + ",\"" + last + "}"))
                .fold(sent -> Reading.of(sent.trade()), Reading::wrong);
    }
}
