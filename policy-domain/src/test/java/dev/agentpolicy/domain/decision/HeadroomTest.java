package dev.agentpolicy.domain.decision;

import static dev.agentpolicy.domain.sample.SampleValues.NOON;
import static dev.agentpolicy.domain.sample.SampleValues.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.decision.Headroom.Interval;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.JsonSamples;
import dev.agentpolicy.domain.sample.SampleValues;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import dev.agentpolicy.domain.trade.Trade;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The headroom by rule. Portfolios are crypto/tradfi/cash in USD; a statement or key that is not said is the plain one of
 * the samples; expected is the largest allowed amount ({@code -} for none), the binding rule and its limit.
 */
class HeadroomTest {
    /** No band, floor or limit of its own, so that a table sees one rule alone. */
    private static final String OPEN_IPS = """
            { "crypto": { "min": 0, "target": 0, "max": 1 }, "tradfi": { "min": 0, "target": 0, "max": 1 },
              "cashFloor": 0, "maxDrawdown": 1, "maxSlippage": 1 }""";

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            no statement                  | none                        | 30000/55000/15000 | buy 1 BTC crypto       | - no_active_ips
            no holdings                   |                             | none              | buy 1 BTC crypto       | - no_portfolio_snapshot
            holdings worth nothing        |                             | 0/0/0             | buy 1 BTC crypto       | - no_portfolio_snapshot
            neither                       | none                        | none              | buy 1 BTC crypto       | - no_active_ips
            buying is not allowed         | {"allowedActions":["sell"]} | 30000/55000/15000 | buy 1 BTC crypto       | - action_not_allowed
            selling still is              | {"allowedActions":["sell"]} | 30000/55000/15000 | sell 1 BTC crypto      | 20000 crypto_min_allocation 0.1
            too much slippage             |                             | 30000/55000/15000 | buy 1 BTC crypto 1.01% | - slippage_exceeded 0.01
            as much slippage as may be    |                             | 30000/55000/15000 | buy 1 BTC crypto 1%    | 5032.71 crypto_max_allocation 0.35
            the asset may only be watched | {"assetAuthority":{"assets":{"BTC":"monitor"}}} | 30000/55000/15000 | buy 1 BTC crypto  | - asset_authority_monitor
            the asset may not be sold     | {"assetAuthority":{"assets":{"BTC":"protect"}}} | 30000/55000/15000 | sell 1 BTC crypto | - asset_authority_protect_sell
            but bought                    | {"assetAuthority":{"assets":{"BTC":"protect"}}} | 30000/55000/15000 | buy 1 BTC crypto  | 5000 crypto_max_allocation 0.35
            every trade is blocked        | {"standingRules":[{"id":"a","effect":"block"}]} | 30000/55000/15000 | buy 1 BTC crypto  | - standing_rule_blocked
            every trade needs approval    | {"standingRules":[{"id":"a","effect":"require_approval"}]} | 30000/55000/15000 | buy 1 BTC crypto | - standing_rule_requires_approval
            the first of several rules    | {"allowedActions":[],"standingRules":[{"id":"a","effect":"block"}]} | 30000/55000/15000 | buy 1 BTC crypto 2% | - action_not_allowed
            """)
    void a_rule_that_ignores_the_amount_leaves_all_headroom_or_none(
            String why, String ips, String portfolio, String trade, String expected) {
        assertThat(headroom(plain(ips), portfolio, null, "{}", trade)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a buy up to the crypto maximum            | 30000/55000/15000    | buy 1 BTC crypto       | 5000 crypto_max_allocation 0.35
            slippage shrinks the sleeve and the whole | 30000/56000/14000    | buy 1 BTC crypto 1%    | 5032.71 crypto_max_allocation 0.35
            at the maximum only 0 is left             | 35000/55000/10000    | buy 1 BTC crypto       | 0 crypto_max_allocation 0.35
            beyond the maximum not even 0             | 36000/54000/10000    | buy 1 BTC crypto       | - crypto_max_allocation 0.35
            half a cent beyond the maximum            | 35000.005/55000/9999.995 | buy 1 BTC crypto   | - crypto_max_allocation 0.35
            a cent and a half is one cent             | 34999.985/55000/10000.015 | buy 1 BTC crypto  | 0.01 crypto_max_allocation 0.35
            a sell down to the crypto minimum         | 30000/55000/15000    | sell 1 BTC crypto      | 20000 crypto_min_allocation 0.1
            slippage shrinks what the minimum is of   | 30000/55000/15000    | sell 1 BTC crypto 1%   | 20020.02 crypto_min_allocation 0.1
            below the minimum nothing is sold         | 9000/76000/15000     | sell 1 BTC crypto      | - crypto_min_allocation 0.1
            at the minimum only 0 is left             | 10000/75000/15000    | sell 1 BTC crypto      | 0 crypto_min_allocation 0.1
            a sell is never stopped by a maximum      | 60000/30000/10000    | sell 1 BTC crypto      | 50000 crypto_min_allocation 0.1
            a buy is never stopped by a minimum       | 1000/79000/20000     | buy 1 BTC crypto       | 15000 cash_floor 0.05
            a buy up to the tradfi maximum            | 10000/75000/15000    | buy 1 SPY tradfi       | 5000 tradfi_max_allocation 0.8
            a sell down to the tradfi minimum         | 30000/60000/10000    | sell 1 SPY tradfi      | 5000 tradfi_min_allocation 0.55
            """)
    void a_band_leaves_the_distance_to_its_edge(String why, String portfolio, String trade, String expected) {
        assertThat(headroom(plain(null), portfolio, null, "{}", trade)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            a buy down to the floor                  | "cashFloor":0.05 | 10000/10000/5000   | buy 1 BTC crypto      | 3750 cash_floor 0.05
            slippage shrinks what the floor is of    | "cashFloor":0.05 | 10000/10000/5000   | buy 1 BTC crypto 10%  | 3768.84 cash_floor 0.05
            below the floor only 0 is left           | "cashFloor":0.5  | 10000/10000/5000   | buy 1 BTC crypto      | 0 cash_floor 0.5
            at the floor, too                        | "cashFloor":0.2  | 10000/10000/5000   | buy 1 BTC crypto      | 0 cash_floor 0.2
            a sell below the floor is not stopped    | "cashFloor":0.5  | 10000/10000/5000   | sell 1 BTC crypto     | 10000 crypto_min_allocation 0
            all in cash, all of it must stay         | "cashFloor":1    | 0/0/5000           | buy 1 BTC crypto      | 0 cash_floor 1
            unless what is bought is lost            | "cashFloor":1    | 0/0/5000           | buy 1 BTC crypto 100% | 5000 crypto_max_allocation 1
            a floor of 0 leaves the cash             | "cashFloor":0    | 10000/10000/5000   | buy 1 BTC crypto      | 5000 insufficient_cash 5000
            whole cents of the cash                  | "cashFloor":0    | 10000/10000/0.0199 | buy 1 BTC crypto      | 0.01 insufficient_cash 0.0199
            no cash                                  | "cashFloor":0    | 10000/10000/0      | buy 1 BTC crypto      | 0 insufficient_cash 0
            no cash and a floor                      | "cashFloor":0.05 | 10000/10000/0      | buy 1 BTC crypto      | 0 insufficient_cash 0
            less than a cent of cash and a floor     | "cashFloor":0.05 | 10000/10000/0.009  | buy 1 BTC crypto      | 0 insufficient_cash 0.009
            """)
    void a_buy_keeps_the_cash_floor_and_uses_at_most_the_cash(
            String why, String ips, String portfolio, String trade, String expected) {
        assertThat(headroom(open(ips), portfolio, null, "{}", trade)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            what slippage may still lose               | 10000/10000/80000 peak 110000 | buy 1 BTC crypto 10%  | 10000 drawdown_exceeded 0.1
            by a sell as well                          | 80000/10000/10000 peak 110000 | sell 1 BTC crypto 10% | 10000 drawdown_exceeded 0.1
            rounded down to a cent                     | 10000/10000/80000 peak 110000 | buy 1 BTC crypto 7%   | 14285.71 drawdown_exceeded 0.1
            without slippage nothing is lost           | 10000/10000/80000 peak 110000 | buy 1 BTC crypto      | 80000 insufficient_cash 80000
            a trade that loses nothing at the limit    | 10000/10000/79000 peak 110000 | buy 1 BTC crypto      | 79000 insufficient_cash 79000
            a trade that loses something at the limit  | 10000/10000/79000 peak 110000 | buy 1 BTC crypto 1%   | 0 drawdown_exceeded 0.1
            beyond the limit nothing is bought         | 10000/10000/78000 peak 110000 | buy 1 BTC crypto      | - drawdown_exceeded 0.1
            beyond the limit a sell does not cross it  | 10000/10000/78000 peak 110000 | sell 1 BTC crypto 50% | 10000 crypto_min_allocation 0
            """)
    void the_drawdown_limit_leaves_the_loss_that_slippage_may_still_cause(
            String why, String portfolio, String trade, String expected) {
        assertThat(headroom(open("\"maxDrawdown\":0.1"), portfolio, null, "{}", trade))
                .isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            the rest of the AUM cap              | {"aumCapUsd":500}       | {"aum":499.995}        | buy 1 BTC crypto  | 0 agent_aum_cap 500
            rounded down to a cent               | {"aumCapUsd":500}       | {"aum":100.005}        | buy 1 BTC crypto  | 399.99 agent_aum_cap 500
            an AUM cap does not stop a sell      | {"aumCapUsd":500}       | {"aum":600}            | sell 1 BTC crypto | 30000 crypto_min_allocation 0
            an AUM cap that is passed already    | {"aumCapUsd":500}       | {"aum":600}            | buy 1 BTC crypto  | - agent_aum_cap 500
            the rest of the daily USD            | {"dailyUsdCap":500}     | {"usd":100}            | buy 1 BTC crypto  | 400 agent_aum_cap 500
            of a sell, too                       | {"dailyUsdCap":500}     | {"usd":100}            | sell 1 BTC crypto | 400 agent_aum_cap 500
            daily USD that are used up           | {"dailyUsdCap":500}     | {"usd":500}            | sell 1 BTC crypto | 0 agent_aum_cap 500
            daily USD that were lowered since    | {"dailyUsdCap":400}     | {"usd":500}            | sell 1 BTC crypto | - agent_aum_cap 400
            the smaller cap counts               | {"dailyUsdCap":500,"aumCapUsd":300} | {}         | buy 1 BTC crypto  | 300 agent_aum_cap 300
            the last call of the day             | {"dailyCallCap":5}      | {"calls":4}            | buy 1 BTC crypto  | 15000 insufficient_cash 15000
            no call left                         | {"dailyCallCap":5}      | {"calls":5}            | buy 1 BTC crypto  | - agent_aum_cap 5
            an asset that the key may not trade  | {"allowedAssets":["ETH"]} | {}                   | buy 1 BTC crypto  | - asset_authority_monitor
            a sleeve that the key may not trade  | {"allowedAssetTypes":["tradfi"]} | {}            | buy 1 BTC crypto  | - asset_authority_monitor
            """)
    void a_key_has_the_rest_of_its_caps(String why, String key, String used, String trade, String expected) {
        assertThat(headroom(open(""), "30000/55000/15000", key, used, trade)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            all that is held                         | 30000/55000/15000 holds 500    | sell 1 BTC crypto | 500 action_not_allowed 500
            whole cents of it                        | 30000/55000/15000 holds 500.019 | sell 1 BTC crypto | 500.01 action_not_allowed 500.019
            nothing is held                          | 30000/55000/15000 holds 0      | sell 1 BTC crypto | 0 action_not_allowed 0
            what is held does not matter to a buy    | 30000/55000/15000 holds 500    | buy 1 BTC crypto  | 15000 insufficient_cash 15000
            no more than the sleeve                  | 30000/55000/15000              | sell 1 BTC crypto | 30000 crypto_min_allocation 0
            """)
    void a_sell_has_at_most_the_value_held(String why, String portfolio, String trade, String expected) {
        assertThat(headroom(open(""), portfolio, null, "{}", trade)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            amounts above a bound are blocked  | {"effect":"block","when":{"amountUsdAbove":1000}}                           | 1000 standing_rule_blocked
            or need approval                   | {"effect":"require_approval","when":{"amountUsdAbove":1000}}                | 1000 standing_rule_requires_approval
            rounded down to a cent             | {"effect":"block","when":{"amountUsdAbove":1000.0199}}                      | 1000.01 standing_rule_blocked
            a bound of 0                       | {"effect":"block","when":{"amountUsdAbove":0}}                              | 0 standing_rule_blocked
            another action                     | {"effect":"block","when":{"amountUsdAbove":1000,"actions":["sell"]}}        | 15000 insufficient_cash 15000
            another sleeve                     | {"effect":"block","when":{"amountUsdAbove":1000,"assetTypes":["tradfi"]}}   | 15000 insufficient_cash 15000
            another asset                      | {"effect":"block","when":{"amountUsdAbove":1000,"symbols":["ETH"]}}         | 15000 insufficient_cash 15000
            this asset                         | {"effect":"block","when":{"amountUsdAbove":1000,"symbols":["BTC"]}}         | 1000 standing_rule_blocked
            another day                        | {"effect":"block","when":{"amountUsdAbove":1000,"daysOfWeek":["SUN"]}}      | 15000 insufficient_cash 15000
            this hour                          | {"effect":"block","when":{"amountUsdAbove":1000,"hours":{"start":12,"end":13,"tz":"UTC"}}} | 1000 standing_rule_blocked
            the hour after                     | {"effect":"block","when":{"amountUsdAbove":1000,"hours":{"start":13,"end":14,"tz":"UTC"}}} | 15000 insufficient_cash 15000
            a bound that no trade can pass     | {"effect":"block","when":{"amountUsdAbove":1000000000000}}                  | 15000 insufficient_cash 15000
            """)
    void a_standing_rule_leaves_amounts_up_to_its_threshold(String why, String rule, String expected) {
        String rules = "\"standingRules\":[" + rule.replaceFirst("\\{", "{\"id\":\"a\",") + "]";

        assertThat(headroom(open(rules), "30000/55000/15000", null, "{}", "buy 1 BTC crypto"))
                .isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            band before floor and cash      | "crypto":{"min":0,"target":0,"max":0.1},"cashFloor":0.9 | 0/0/100     | {}                                 | buy 1 BTC crypto | 10 crypto_max_allocation 0.1
            floor before caps               | "cashFloor":0.9                                         | 0/0/100     | {"aumCapUsd":10,"dailyUsdCap":10}  | buy 1 BTC crypto | 10 cash_floor 0.9
            cash before caps                |                                                         | 0/90/10     | {"aumCapUsd":10,"dailyUsdCap":10}  | buy 1 BTC crypto | 10 insufficient_cash 10
            the AUM cap before the daily    |                                                         | 0/0/100     | {"aumCapUsd":10,"dailyUsdCap":10.001}  | buy 1 BTC crypto | 10 agent_aum_cap 10
            caps before standing rules      | "standingRules":[{"id":"a","effect":"block","when":{"amountUsdAbove":10}}] | 0/0/100 | {"dailyUsdCap":10} | buy 1 BTC crypto | 10 agent_aum_cap 10
            blocks before approvals         | "standingRules":[{"id":"a","effect":"require_approval","when":{"amountUsdAbove":10}},{"id":"b","effect":"block","when":{"amountUsdAbove":10}}] | 0/0/100 | {} | buy 1 BTC crypto | 10 standing_rule_blocked
            what is held before the minimum | "crypto":{"min":0.1,"target":1,"max":1}                 | 20/80/0 holds 10 | {}                            | sell 1 BTC crypto | 10 action_not_allowed 10
            """)
    void the_first_of_the_rules_with_equal_headroom_binds(
            String why, String ips, String portfolio, String key, String trade, String expected) {
        assertThat(headroom(open(ips == null ? "" : ips), portfolio, key, "{}", trade))
                .isEqualTo(expected);
    }

    @Test
    void headroom_has_the_limits_of_the_amount_of_a_trade() {
        assertThat(headroom(open(""), "0/0/2000000000000", null, "{}", "buy 1 BTC crypto"))
                .isEqualTo("1000000000000");
        assertThat(headroom(open(""), "0/0/1000000000000", null, "{}", "buy 1 BTC crypto"))
                .isEqualTo("1000000000000");
        assertThat(headroom(open(""), "0/1/999999999999.999", null, "{}", "buy 1 BTC crypto"))
                .isEqualTo("999999999999.99 insufficient_cash 999999999999.999");
        assertThat(headroom(open(""), "0/2000000000000/0", null, "{}", "sell 1 BTC tradfi"))
                .isEqualTo("1000000000000");
    }

    @Test
    void an_unknown_or_misdeclared_asset_has_no_headroom() {
        Trade trade = SampleValues.trade("buy 1 BTC tradfi");

        assertThat(binding(trade, ResolvedAsset.Source.DIRECTORY, "CRYPTO")).isEqualTo(Rule.INVALID_PAYLOAD);
        assertThat(binding(trade, ResolvedAsset.Source.UNKNOWN, "TRADFI")).isEqualTo(Rule.ASSET_AUTHORITY_MONITOR);
        assertThat(binding(trade, ResolvedAsset.Source.SAID, "TRADFI")).isEqualTo(Rule.TRADFI_MAX_ALLOCATION);
    }

    @Test
    void the_allowed_amounts_are_one_interval_from_0_and_the_binding_violation_is_that_of_a_cent_more() {
        Headroom headroom = of(plain(null), "30000/55000/15000", null, "{}", "buy 700 BTC crypto 0.5%");

        assertThat(headroom.intervals()).containsExactly(new Interval(Usd.ZERO, Usd.of("5016.3")));
        assertThat(headroom.maxAllowed()).isEqualTo(Usd.of("5016.3"));
        assertThat(headroom.binding())
                .isEqualTo(EvaluatorTest.decide(null, "30000/55000/15000", null, "buy 5016.31 BTC crypto 0.5%")
                        .violations()
                        .get(0));
        assertThat(headroom.binding().message())
                .isEqualTo("Crypto would be just above 35% of the portfolio; the maximum is 35%.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"buy 1 BTC crypto -0.01%", "sell 1 BTC crypto 100.01%"})
    void the_amount_includes_slippage(String trade) {
        assertThatThrownBy(() -> of(plain(null), "30000/55000/15000", null, "{}", trade))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("from 0 to 100 percent");
    }

    @Test
    void an_interval_whose_maximum_is_below_its_minimum_is_refused() {
        assertThatThrownBy(() -> new Interval(Usd.of(2), Usd.of(1))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void every_rule_but_invalid_payload_binds_in_these_tables() throws IOException {
        String tables = Files.readString(Path.of("src/test/java/dev/agentpolicy/domain/decision/HeadroomTest.java"));

        List<Rule> absent = Arrays.stream(Rule.values())
                .filter(rule -> !Pattern.compile("\\| [-0-9.]+ " + rule.wireName() + "\\b")
                        .matcher(tables)
                        .find())
                .toList();

        assertThat(absent).containsExactly(Rule.INVALID_PAYLOAD);
    }

    private static Rule binding(Trade trade, ResolvedAsset.Source source, String sleeve) {
        return Headroom.of(new EvaluationContext(
                        trade,
                        new ResolvedAsset(trade.asset(), "BTC", AssetType.valueOf(sleeve), source),
                        version(SampleValues.plainIps()),
                        SampleValues.portfolio("10000/75000/15000"),
                        null,
                        KeyPolicy.NO_CAPS,
                        SampleValues.used(JsonSamples.object("{}")),
                        NOON))
                .binding()
                .rule();
    }

    /** The open statement with some of its members replaced. */
    private static Ips open(String changes) {
        return IpsDocument.read(
                        JsonSamples.merged(JsonSamples.object(OPEN_IPS), JsonSamples.object("{" + changes + "}")))
                .orElseThrow();
    }

    /** The plain statement with some of its members replaced, or none. */
    private static Ips plain(String changes) {
        return "none".equals(changes) ? null : SampleValues.ips(changes == null ? "{}" : changes);
    }

    private static String headroom(Ips ips, String portfolio, String key, String used, String trade) {
        Headroom headroom = of(ips, portfolio, key, used, trade);
        Usd max = headroom.maxAllowed();
        Violation binding = headroom.binding();
        String limit = binding == null || binding.limit() == null
                ? ""
                : " " + binding.limit().toPlainString();
        return (max == null ? "-" : max)
                + (binding == null ? "" : " " + binding.rule().wireName() + limit);
    }

    private static Headroom of(Ips ips, String portfolio, String key, String used, String trade) {
        Snapshot snapshot = portfolio.startsWith("none") ? null : SampleValues.portfolio(portfolio);
        return Headroom.of(new EvaluationContext(
                SampleValues.trade(trade),
                null,
                version(ips),
                snapshot,
                SampleValues.held(portfolio),
                key == null ? KeyPolicy.NO_CAPS : SampleValues.policy(key),
                SampleValues.used(JsonSamples.object(used)),
                NOON));
    }
}
