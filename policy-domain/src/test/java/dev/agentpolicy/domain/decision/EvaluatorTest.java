package dev.agentpolicy.domain.decision;

import static dev.agentpolicy.domain.sample.SampleValues.NOON;
import static dev.agentpolicy.domain.sample.SampleValues.version;
import static dev.agentpolicy.domain.sample.SampleValues.violations;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The decision tables. Portfolios are crypto/tradfi/cash in USD. Without a statement or key, the plain one of the
 * samples is used. The expected result is each broken rule with its limit and actual value, in order.
 */
class EvaluatorTest {

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            no statement                          | none | 30000/55000/15000          | buy 5000 BTC crypto     | no_active_ips
            no holdings                           |      | none                       | buy 5000 BTC crypto     | no_portfolio_snapshot
            holdings worth nothing                |      | 0/0/0                      | buy 5000 BTC crypto     | no_portfolio_snapshot
            neither                               | none | none                       | buy 5000 BTC crypto     | no_active_ips, no_portfolio_snapshot
            no statement: cash is still counted   | none | 30000/55000/15000          | buy 15000.01 BTC crypto | no_active_ips, insufficient_cash 15000 15000.01
            no statement: nor is more sold        | none | 30000/55000/15000 holds 10 | sell 11 BTC crypto      | no_active_ips, action_not_allowed 10 11
            no statement: slippage has no cap     | none | 30000/55000/15000          | buy 1 BTC crypto 99%    | no_active_ips
            no holdings: the pause still counts   | {"allowedActions":["sell"]} | none | buy 1 BTC crypto       | no_portfolio_snapshot, action_not_allowed
            no holdings: slippage still counts    |      | none                       | buy 1 BTC crypto 1.01%  | no_portfolio_snapshot, slippage_exceeded 0.01 0.0101
            no holdings: nothing is known of held |      | none holds 10              | sell 11 BTC crypto      | no_portfolio_snapshot
            """)
    void rules_that_need_a_statement_or_holdings_are_skipped_without(
            String why, String ips, String portfolio, String trade, String expected) {
        assertThat(violations(decide(ips, portfolio, null, trade))).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a buy when all is allowed    | {"allowedActions":["buy","sell"]} | 30000/55000/15000           | buy 1 BTC crypto       | -
            a buy when only selling is   | {"allowedActions":["sell"]}       | 30000/55000/15000           | buy 1 BTC crypto       | action_not_allowed
            a sell when only selling is  | {"allowedActions":["sell"]}       | 30000/55000/15000           | sell 1 BTC crypto      | -
            a sell when only buying is   | {"allowedActions":["buy"]}        | 30000/55000/15000           | sell 1 BTC crypto      | action_not_allowed
            a pause stops both           | {"allowedActions":[]}             | 30000/55000/15000           | sell 1 BTC crypto      | action_not_allowed
            a sell of less than is held  |                                   | 30000/55000/15000 holds 500 | sell 499.99 BTC crypto | -
            a sell of all that is held   |                                   | 30000/55000/15000 holds 500 | sell 500 BTC crypto    | -
            a sell of more than is held  |                                   | 30000/55000/15000 holds 500 | sell 500.01 BTC crypto | action_not_allowed 500 500.01
            a sell of what is not held   |                                   | 30000/55000/15000 holds 0   | sell 0.01 BTC crypto   | action_not_allowed 0 0.01
            a buy of what is not held    |                                   | 30000/55000/15000 holds 0   | buy 0.01 BTC crypto    | -
            paused and more than is held | {"allowedActions":[]}             | 30000/55000/15000 holds 500 | sell 501 BTC crypto    | action_not_allowed, action_not_allowed 500 501
            """)
    void action_not_allowed(String why, String ips, String portfolio, String trade, String expected) {
        assertThat(violations(decide(ips, portfolio, null, trade))).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            a cent below the crypto maximum       | 30000/55000/15000 | buy 4999.99 BTC crypto  | -
            at the crypto maximum                 | 30000/55000/15000 | buy 5000 BTC crypto     | -
            a cent above the crypto maximum       | 30000/55000/15000 | buy 5000.01 BTC crypto  | crypto_max_allocation 0.35 0.35
            well above the crypto maximum         | 30000/55000/15000 | buy 6400 BTC crypto     | crypto_max_allocation 0.35 0.364
            slippage makes the sleeve smaller     | 30000/56000/14000 | buy 5020 BTC crypto 1%  | -
            and the whole smaller, too            | 30000/56000/14000 | buy 5040 BTC crypto 1%  | crypto_max_allocation 0.35 0.350072
            a zero buy at the crypto maximum      | 35000/55000/10000 | buy 0 BTC crypto        | -
            a zero buy above the crypto maximum   | 36000/54000/10000 | buy 0 BTC crypto        | crypto_max_allocation 0.35 0.36
            a sell is never stopped by a maximum  | 60000/30000/10000 | sell 1000 BTC crypto    | -
            a cent above the crypto minimum       | 12000/76000/12000 | sell 1999.99 BTC crypto | -
            at the crypto minimum                 | 12000/76000/12000 | sell 2000 BTC crypto    | -
            a cent below the crypto minimum       | 12000/76000/12000 | sell 2000.01 BTC crypto | crypto_min_allocation 0.1 0.1
            well below the crypto minimum         | 12000/76000/12000 | sell 4000 BTC crypto    | crypto_min_allocation 0.1 0.08
            a buy is never stopped by a minimum   | 1000/79000/20000  | buy 1000 BTC crypto     | -
            a cent below the tradfi maximum       | 10000/75000/15000 | buy 4999.99 SPY tradfi  | -
            at the tradfi maximum                 | 10000/75000/15000 | buy 5000 SPY tradfi     | -
            a cent above the tradfi maximum       | 10000/75000/15000 | buy 5000.01 SPY tradfi  | tradfi_max_allocation 0.8 0.8
            well above the tradfi maximum         | 10000/75000/15000 | buy 7123.45 SPY tradfi  | tradfi_max_allocation 0.8 0.821234
            half even, up                         | 10000/75000/15000 | buy 7123.15 SPY tradfi  | tradfi_max_allocation 0.8 0.821232
            a cent above the tradfi minimum       | 30000/60000/10000 | sell 4999.99 SPY tradfi | -
            at the tradfi minimum                 | 30000/60000/10000 | sell 5000 SPY tradfi    | -
            a cent below the tradfi minimum       | 30000/60000/10000 | sell 5000.01 SPY tradfi | tradfi_min_allocation 0.55 0.55
            well below the tradfi minimum         | 30000/60000/10000 | sell 7000 SPY tradfi    | tradfi_min_allocation 0.55 0.53
            crypto does not look at tradfi bands  | 20000/20000/60000 | buy 1000 BTC crypto     | -
            nor tradfi at crypto bands            | 50000/40000/10000 | buy 1000 SPY tradfi     | -
            """)
    void allocation_bands(String why, String portfolio, String trade, String expected) {
        assertThat(violations(decide(null, portfolio, null, trade))).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            a cent above the floor             | 20000/65000/15000 | buy 9999.99 SPY tradfi   | -
            at the floor                       | 20000/65000/15000 | buy 10000 SPY tradfi     | -
            a cent below the floor             | 20000/65000/15000 | buy 10000.01 SPY tradfi  | cash_floor 0.05 0.05
            well below the floor               | 20000/65000/15000 | buy 12000 SPY tradfi     | cash_floor 0.05 0.03
            all the cash                       | 20000/65000/15000 | buy 15000 SPY tradfi     | cash_floor 0.05 0
            more than the cash, not both       | 20000/65000/15000 | buy 15000.00000001 SPY tradfi | tradfi_max_allocation 0.8 0.8, insufficient_cash 15000 15000.00000001
            much more than the cash            | 20000/60000/20000 | buy 25000 SPY tradfi     | tradfi_max_allocation 0.8 0.85, insufficient_cash 20000 25000
            the floor is of the total after    | 20000/65000/15000 | buy 10004 SPY tradfi 1%  | -
            and no less than that              | 20000/65000/15000 | buy 10006 SPY tradfi 1%  | cash_floor 0.05 0.04999
            a zero buy lowers no cash          | 30000/67000/3000  | buy 0 BTC crypto         | -
            a sell does not lower cash         | 30000/67000/3000  | sell 100 BTC crypto      | -
            """)
    void cash(String why, String portfolio, String trade, String expected) {
        assertThat(violations(decide(null, portfolio, null, trade))).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            a buy a cent inside                  | 15000/50000.01/10000 peak 100000 | buy 1000 BTC crypto     | -
            a buy at the limit                   | 15000/50000/10000 peak 100000    | buy 1000 BTC crypto     | -
            a buy a cent beyond                  | 15000/49999.99/10000 peak 100000 | buy 1000 BTC crypto     | drawdown_exceeded 0.25 0.25
            a buy beyond by its slippage         | 15000/50000/10000 peak 100000    | buy 1 BTC crypto 1%     | drawdown_exceeded 0.25 0.25
            a buy far beyond                     | 15000/50000/10000 peak 120000    | buy 100 BTC crypto      | drawdown_exceeded 0.25 0.375
            a sell far beyond already            | 15000/50000/10000 peak 120000    | sell 100 BTC crypto 1%  | -
            a sell at the limit                  | 15000/50000/10000 peak 100000    | sell 100 BTC crypto     | -
            a sell that crosses the limit itself | 15000/50000/10000 peak 100000    | sell 100 BTC crypto 1%  | drawdown_exceeded 0.25 0.25001
            a sell that reaches the limit        | 15000/50001/10000 peak 100000    | sell 100 BTC crypto 1%  | -
            above the peak there is no drawdown  | 20000/65000/15000 peak 1000      | buy 100 BTC crypto 1%   | -
            """)
    void drawdown(String why, String portfolio, String trade, String expected) {
        assertThat(violations(decide(null, portfolio, null, trade))).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            none said              | buy 1 BTC crypto                       | -
            a basis point below    | buy 1 BTC crypto 0.99%                 | -
            at the cap             | sell 1 BTC crypto 1%                   | -
            a basis point above    | sell 1 BTC crypto 1.01%                | slippage_exceeded 0.01 0.0101
            the least bit above    | buy 1 BTC crypto 1.000000000000000001% | slippage_exceeded 0.01 0.01
            all of it              | buy 1 BTC crypto 100%                  | slippage_exceeded 0.01 1
            """)
    void slippage(String why, String trade, String expected) {
        assertThat(violations(decide(null, "30000/55000/15000", null, trade))).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            AUM a cent below                | {"aumCapUsd":500}   | {"aum":400}  | buy 99.99 BTC crypto   | -
            AUM at the cap                  | {"aumCapUsd":500}   | {"aum":400}  | buy 100 BTC crypto     | -
            AUM a cent above                | {"aumCapUsd":500}   | {"aum":400}  | buy 100.01 BTC crypto  | agent_aum_cap 500 500.01
            AUM of a sell does not grow     | {"aumCapUsd":500}   | {"aum":500}  | sell 100.01 BTC crypto | -
            AUM cap of nothing              | {"aumCapUsd":0}     | {}           | buy 0.01 BTC crypto    | agent_aum_cap 0 0.01
            USD of the day a cent below     | {"dailyUsdCap":500} | {"usd":400}  | sell 99.99 BTC crypto  | -
            USD of the day at the cap       | {"dailyUsdCap":500} | {"usd":400}  | sell 100 BTC crypto    | -
            USD of the day a cent above     | {"dailyUsdCap":500} | {"usd":400}  | sell 100.01 BTC crypto | agent_aum_cap 500 500.01
            calls at the cap                | {"dailyCallCap":3}  | {"calls":2}  | buy 1 BTC crypto       | -
            calls one above                 | {"dailyCallCap":3}  | {"calls":3}  | buy 1 BTC crypto       | agent_aum_cap 3 4
            no caps, however much was used  | {}                  | {"calls":999,"usd":1e9,"aum":1e9} | buy 1 BTC crypto | -
            all three caps                  | {"aumCapUsd":5,"dailyUsdCap":6,"dailyCallCap":7} | {"calls":7,"usd":6,"aum":5} | buy 1 BTC crypto | agent_aum_cap 5 6, agent_aum_cap 6 7, agent_aum_cap 7 8
            """)
    void agent_aum_cap(String why, String key, String used, String trade, String expected) {
        assertThat(violations(decide(null, "30000/55000/15000", key, used, trade)))
                .isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            full: buy                             | {"assetAuthority":{"assets":{"BTC":"full"}}}    | {}                         | buy 1 btc crypto  | -
            full: sell                            | {"assetAuthority":{"assets":{"BTC":"full"}}}    | {}                         | sell 1 btc crypto | -
            protect: buy                          | {"assetAuthority":{"assets":{"BTC":"protect"}}} | {}                         | buy 1 btc crypto  | -
            protect: sell                         | {"assetAuthority":{"assets":{"BTC":"protect"}}} | {}                         | sell 1 btc crypto | asset_authority_protect_sell
            monitor: buy                          | {"assetAuthority":{"assets":{"BTC":"monitor"}}} | {}                         | buy 1 btc crypto  | asset_authority_monitor
            monitor: sell                         | {"assetAuthority":{"assets":{"BTC":"monitor"}}} | {}                         | sell 1 btc crypto | asset_authority_monitor
            the level of all others: buy          | {"assetAuthority":{"default":"monitor","assets":{"BTC":"full"}}} | {}        | buy 1 ETH crypto  | asset_authority_monitor
            the level of all others: not of BTC   | {"assetAuthority":{"default":"monitor","assets":{"BTC":"full"}}} | {}        | buy 1 BTC crypto  | -
            the level of all others: sell         | {"assetAuthority":{"default":"protect"}}        | {}                         | sell 1 ETH crypto | asset_authority_protect_sell
            among the assets of the key           |                                                 | {"allowedAssets":["btc"]}  | sell 1 BTC crypto | -
            outside of the assets of the key      |                                                 | {"allowedAssets":["ETH"]}  | sell 1 BTC crypto | asset_authority_monitor
            a key without any asset               |                                                 | {"allowedAssets":[]}       | buy 1 BTC crypto  | asset_authority_monitor
            among the sleeves of the key          |                                                 | {"allowedAssetTypes":["crypto"]} | buy 1 BTC crypto | -
            outside of the sleeves of the key     |                                                 | {"allowedAssetTypes":["tradfi"]} | buy 1 BTC crypto | asset_authority_monitor
            without a statement the key counts    | none                                            | {"allowedAssets":["ETH"]}  | buy 1 BTC crypto  | no_active_ips, asset_authority_monitor
            monitor and outside: told once        | {"assetAuthority":{"assets":{"BTC":"monitor"}}} | {"allowedAssets":["ETH"]}  | buy 1 BTC crypto  | asset_authority_monitor
            outside and protected                 | {"assetAuthority":{"assets":{"BTC":"protect"}}} | {"allowedAssets":["ETH"]}  | sell 1 BTC crypto | asset_authority_monitor, asset_authority_protect_sell
            """)
    void asset_authority(String why, String ips, String key, String trade, String expected) {
        assertThat(violations(decide(ips, "30000/55000/15000", key, trade))).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            an empty when matches everything   | {"standingRules":[{"id":"a","effect":"block","when":{}}]}            | sell 1 BTC crypto | standing_rule_blocked
            no when matches everything         | {"standingRules":[{"id":"a","effect":"require_approval"}]}           | sell 1 BTC crypto | standing_rule_requires_approval
            the amount at its bound            | {"standingRules":[{"id":"a","effect":"block","when":{"amountUsdAbove":1000}}]} | buy 1000 BTC crypto    | -
            a cent above its bound             | {"standingRules":[{"id":"a","effect":"block","when":{"amountUsdAbove":1000}}]} | buy 1000.01 BTC crypto | standing_rule_blocked
            one violation for each rule        | {"standingRules":[{"id":"a","effect":"block"},{"id":"b","effect":"block"}]} | buy 1 BTC crypto | standing_rule_blocked, standing_rule_blocked
            blocks before approvals            | {"standingRules":[{"id":"a","effect":"require_approval"},{"id":"b","effect":"block"}]} | buy 1 BTC crypto | standing_rule_blocked, standing_rule_requires_approval
            one condition that does not hold   | {"standingRules":[{"id":"a","effect":"block","when":{"actions":["buy"],"assetTypes":["tradfi"]}}]} | buy 1 BTC crypto | -
            """)
    void standing_rules(String why, String ips, String trade, String expected) {
        assertThat(violations(decide(ips, "30000/55000/15000", null, trade))).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a buy that breaks all it can  | {"allowedActions":[],"assetAuthority":{"default":"monitor"},"standingRules":[{"id":"a","effect":"require_approval"},{"id":"b","effect":"block"}]} | 30000/55000/15000 peak 200000 | {"aumCapUsd":1,"dailyUsdCap":2} | buy 16000 BTC crypto 2%  | action_not_allowed, crypto_max_allocation 0.35 0.458266, insufficient_cash 15000 16000, drawdown_exceeded 0.25 0.5016, slippage_exceeded 0.01 0.02, agent_aum_cap 1 16000, agent_aum_cap 2 16000, asset_authority_monitor, standing_rule_blocked, standing_rule_requires_approval
            a sell that breaks all it can | {"allowedActions":[],"assetAuthority":{"default":"protect"},"standingRules":[{"id":"a","effect":"require_approval"},{"id":"b","effect":"block"}]} | 30000/60000/10000 peak 133200 holds 6000 | {"aumCapUsd":1,"dailyUsdCap":2} | sell 10000 SPY tradfi 2% | action_not_allowed, action_not_allowed 6000 10000, tradfi_min_allocation 0.55 0.501002, drawdown_exceeded 0.25 0.250751, slippage_exceeded 0.01 0.02, agent_aum_cap 2 10000, asset_authority_protect_sell, standing_rule_blocked, standing_rule_requires_approval
            band and floor at once        | {} | 30000/55000/15000 | {} | buy 12000 BTC crypto     | crypto_max_allocation 0.35 0.42, cash_floor 0.05 0.03
            a buy that leaves nothing     | {} | 0/50/100          | {} | buy 200 BTC crypto 100%  | crypto_max_allocation 0.35, insufficient_cash 100 200, drawdown_exceeded 0.25 1.333333, slippage_exceeded 0.01 1
            a buy that leaves a loss      | {} | 50/0/100          | {} | buy 200 BTC crypto 100%  | crypto_max_allocation 0.35, insufficient_cash 100 200, drawdown_exceeded 0.25 1.333333, slippage_exceeded 0.01 1
            a sell that leaves nothing    | {} | 100/0/0           | {} | sell 100 BTC crypto 100% | drawdown_exceeded 0.25 1, slippage_exceeded 0.01 1
            """)
    void violations_come_in_the_order_of_the_specification(
            String why, String ips, String portfolio, String key, String trade, String expected) {
        Decision decision = decide(ips, portfolio, key, trade);

        assertThat(violations(decision)).isEqualTo(expected);
        assertThat(decision.violations()).extracting(Violation::rule).isSorted();
    }

    @Test
    void every_rule_but_invalid_payload_is_expected_in_these_tables() throws IOException {
        String tables = Files.readString(Path.of("src/test/java/dev/agentpolicy/domain/decision/EvaluatorTest.java"));

        List<Rule> absent = Arrays.stream(Rule.values())
                .filter(rule -> !Pattern.compile("[|,] " + rule.wireName() + "\\b")
                        .matcher(tables)
                        .find())
                .toList();

        assertThat(absent).containsExactly(Rule.INVALID_PAYLOAD);
    }

    @Test
    void a_decision_names_its_statement_and_snapshot() {
        Snapshot before = SampleValues.portfolio("30000/55000/15000");
        Decision decision = Evaluator.decide(
                SampleValues.circumstances(SampleValues.trade("buy 5000 BTC crypto"), SampleValues.plainIps(), before));

        assertThat(decision).isEqualTo(new Decision(List.of(), 7, before, NOON));
        assertThat(decision.isAllowed()).isTrue();
        assertThat(decide("none", "none", null, "buy 1 BTC crypto").ipsVersion())
                .isNull();
        assertThat(decide(null, "0/0/0", null, "buy 1 BTC crypto").snapshot()).isNull();
    }

    static Decision decide(String ips, String portfolio, String key, String trade) {
        return decide(ips, portfolio, key, "{}", trade);
    }

    static Decision decide(String ips, String portfolio, String key, String used, String trade) {
        Ips statement = "none".equals(ips) ? null : SampleValues.ips(ips == null ? "{}" : ips);
        Snapshot snapshot = portfolio.startsWith("none") ? null : SampleValues.portfolio(portfolio);
        KeyPolicy policy = key == null ? KeyPolicy.NO_CAPS : SampleValues.policy(key);
        return Evaluator.decide(new EvaluationContext(
                SampleValues.trade(trade),
                null,
                version(statement),
                snapshot,
                SampleValues.held(portfolio),
                policy,
                SampleValues.used(JsonSamples.object(used)),
                NOON));
    }
}
