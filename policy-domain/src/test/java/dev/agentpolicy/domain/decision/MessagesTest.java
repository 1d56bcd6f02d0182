package dev.agentpolicy.domain.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.SampleValues;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages of violations. */
class MessagesTest {

    @ParameterizedTest(name = "{4}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            none | 30000/55000/15000 | {} | buy 1 BTC crypto | There is no active investment policy statement.
             | none | {} | buy 1 BTC crypto | There are no holdings of any value to check against.
            {"allowedActions":["sell"]} | 30000/55000/15000 | {} | buy 1 BTC crypto | Buying is paused by the user.
            {"allowedActions":["buy"]} | 30000/55000/15000 | {} | sell 1 BTC crypto | Selling is paused by the user.
             | 30000/55000/15000 holds 500 | {} | sell 1234.5 BTC crypto | The sell is of 1,234.5 USD of BTC; 500 USD is held.
             | 30000/55000/15000 holds 499.999999999 | {} | sell 500 BTC crypto | The sell is of 500 USD of BTC; just under 500 USD is held.
             | 30000/55000/15000 | {} | buy 6400 BTC crypto | Crypto would be 36.4% of the portfolio; the maximum is 35%.
             | 30000/55000/15000 | {} | buy 5000.01 BTC crypto | Crypto would be just above 35% of the portfolio; the maximum is 35%.
             | 12000/76000/12000 | {} | sell 4000 BTC crypto | Crypto would be 8% of the portfolio; the minimum is 10%.
             | 12000/76000/12000 | {} | sell 2000.01 BTC crypto | Crypto would be just below 10% of the portfolio; the minimum is 10%.
             | 50/0/10000 | {} | buy 10000 BTC crypto 100% | Crypto would be 100% of the portfolio; the maximum is 35%.
             | 10000/75000/15000 | {} | buy 7123.45 SPY tradfi | Tradfi would be 82.1234% of the portfolio; the maximum is 80%.
             | 30000/60000/10000 | {} | sell 7000 SPY tradfi | Tradfi would be 53% of the portfolio; the minimum is 55%.
             | 20000/65000/15000 | {} | buy 12000 SPY tradfi | Cash would be 3% of the portfolio; the floor is 5%.
             | 20000/65000/15000 | {} | buy 10000.01 SPY tradfi | Cash would be just below 5% of the portfolio; the floor is 5%.
             | 20000/55000/20000.5 | {} | buy 20000.50000001 BTC crypto | The buy costs 20,000.50000001 USD; there is 20,000.5 USD in cash.
             | 15000/50000/10000 peak 120000 | {} | buy 100 BTC crypto | The portfolio would be 37.5% below its peak; the maximum drawdown is 25%.
             | 15000/50000/10000 peak 100000 | {} | buy 1 BTC crypto 1% | The portfolio would be just above 25% below its peak; the maximum drawdown is 25%.
             | 30000/55000/15000 | {} | buy 1 BTC crypto 1.25% | Expected slippage is 1.25%; the maximum is 1%.
             | 30000/55000/15000 | {"aumCapUsd":1000} | buy 1500 BTC crypto | The key would manage 1,500 USD; its cap is 1,000 USD.
             | 30000/55000/15000 | {"dailyUsdCap":1000.25} | sell 1500 BTC crypto | The key would propose 1,500 USD today; its daily cap is 1,000.25 USD.
             | 30000/55000/15000 | {"dailyCallCap":0} | sell 1 BTC crypto | This is call 1 of the key today; its daily cap is 0.
            {"assetAuthority":{"default":"monitor"}} | 30000/55000/15000 | {} | buy 1 BTC crypto | BTC may only be watched: its authority level is monitor.
             | 30000/55000/15000 | {"allowedAssets":["ETH"]} | buy 1 BTC crypto | This key may only watch BTC: it is not among the assets of its policy.
            {"assetAuthority":{"default":"protect"}} | 30000/55000/15000 | {} | sell 1 BTC crypto | BTC may be bought but not sold: its authority level is protect.
            {"standingRules":[{"id":"no-memecoins","effect":"block","reason":"Not in this household"}]} | 30000/55000/15000 | {} | buy 1 BTC crypto | Standing rule no-memecoins blocks this trade: Not in this household.
            {"standingRules":[{"id":"calm","effect":"block"}]} | 30000/55000/15000 | {} | buy 1 BTC crypto | Standing rule calm blocks this trade.
            {"standingRules":[{"id":"calm","effect":"block","reason":"Sleep first!"}]} | 30000/55000/15000 | {} | buy 1 BTC crypto | Standing rule calm blocks this trade: Sleep first!
            {"standingRules":[{"id":"ask","effect":"require_approval","reason":"Call me."}]} | 30000/55000/15000 | {} | buy 1 BTC crypto | `Standing rule ask requires the user's approval: Call me.`
            """)
    void a_message_is_one_sentence_with_the_numbers(
            String ips, String portfolio, String key, String trade, String message) {
        assertThat(EvaluatorTest.decide(ips, portfolio, key, trade).violations())
                .extracting(Violation::message)
                .contains(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            buy 5000 BTC crypto    | Within policy
            buy 5000.01 BTC crypto | 1 violation: crypto_max_allocation
            buy 5001 BTC crypto 2% | 1 violation: slippage_exceeded
            buy 5400 BTC crypto 2% | 2 violations: crypto_max_allocation, slippage_exceeded
            """)
    void a_reason_counts_and_names_the_rules(String trade, String reason) {
        assertThat(EvaluatorTest.decide(null, "30000/55000/15000", null, trade).reason())
                .isEqualTo(reason);
    }

    @Test
    void no_fraction_is_shown_when_nothing_would_be_left() {
        Decision decision = EvaluatorTest.decide(null, "50/0/100", null, "buy 200 BTC crypto 100%");

        assertThat(decision.violations().get(0))
                .isEqualTo(new Violation(
                        Rule.CRYPTO_MAX_ALLOCATION,
                        "Nothing would be left of the portfolio; the crypto maximum is 35%.",
                        SampleValues.plainIps().crypto().max().value(),
                        null));
    }

    @Test
    void the_time_of_a_decision_has_microseconds() {
        Decision decision = new Decision(List.of(), null, null, SampleValues.NOON.plusNanos(1_999));

        assertThat(decision.checkedAt()).isEqualTo(SampleValues.NOON.plusNanos(1_000));
    }
}
