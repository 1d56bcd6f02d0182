package dev.agentpolicy.domain.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentpolicy.domain.compare.TradeWitness.Situation;
import dev.agentpolicy.domain.compare.TradeWitness.UsedFlow;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.ips.Ips;
import dev.agentpolicy.domain.ips.IpsDocument;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.rule.Violation;
import dev.agentpolicy.domain.sample.JsonSamples;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Changes of a policy with the witnesses that a person would give for them: round amounts, one asset, one broken rule. */
class HandWrittenWitnessesTest {
    /** A Friday. */
    private static final Instant NOW = Instant.parse("2026-11-27T20:15:00Z");

    private static final String BASE = "{'crypto':{'min':0.1,'target':0.2,'max':0.4},"
            + "'tradfi':{'min':0.2,'target':0.5,'max':0.8},'cashFloor':0.05,'maxDrawdown':0.25,'maxSlippage':0.01}";

    /**
     * A change.
     *
     * @param from members of the statement before in place of those of the common one
     * @param to members of the statement after it, in place of those before
     * @param expected the relation, and the witnesses as {@link #line}
     */
    private record Change(String from, String to, List<String> expected) {
        @Override
        public String toString() {
            return from + " -> " + to;
        }
    }

    private static Change change(String from, String to, String... expected) {
        return new Change(from, to, List.of(expected));
    }

    static Stream<Change> changes() {
        return Stream.of(
                // Bands
                change(
                        "{}",
                        "{'crypto':{'min':0.1,'target':0.2,'max':0.5}}",
                        "looser",
                        "looser: buy 20000 BTC; cash 75000, BTC 25000; crypto_max_allocation"),
                change(
                        "{}",
                        "{'crypto':{'min':0.1,'target':0.2,'max':0.3}}",
                        "tighter",
                        "tighter: buy 20000 BTC; cash 85000, BTC 15000; crypto_max_allocation"),
                change(
                        "{}",
                        "{'crypto':{'min':0.05,'target':0.2,'max':0.4}}",
                        "looser",
                        "looser: sell 50000 BTC; cash 42000, BTC 58000; crypto_min_allocation"),
                change(
                        "{}",
                        "{'crypto':{'min':0.15,'target':0.2,'max':0.4}}",
                        "tighter",
                        "tighter: sell 50000 BTC; cash 38000, BTC 62000; crypto_min_allocation"),
                change(
                        "{}",
                        "{'crypto':{'min':0.05,'target':0.2,'max':0.3}}",
                        "mixed",
                        "looser: sell 50000 BTC; cash 42000, BTC 58000; crypto_min_allocation",
                        "tighter: buy 20000 BTC; cash 85000, BTC 15000; crypto_max_allocation"),
                change(
                        "{}",
                        "{'tradfi':{'min':0.2,'target':0.5,'max':0.9}}",
                        "looser",
                        "looser: buy 50000 SPY; cash 65000, SPY 35000; tradfi_max_allocation"),
                change(
                        "{}",
                        "{'tradfi':{'min':0.3,'target':0.5,'max':0.8}}",
                        "tighter",
                        "tighter: sell 50000 SPY; cash 25000, SPY 75000; tradfi_min_allocation"),
                change("{}", "{'crypto':{'min':0.1,'target':0.15,'max':0.4}}", "equivalent"),
                change(
                        "{}",
                        "{'crypto':{'min':0.1,'target':0.2,'max':0.41}}",
                        "looser",
                        "looser: buy 20000 BTC; cash 79500, BTC 20500; crypto_max_allocation"),
                change(
                        "{}",
                        "{'crypto':{'min':0.1,'target':0.2,'max':0.400001}}",
                        "looser",
                        "looser: buy 20000 BTC; cash 79999.95, BTC 20000.05; crypto_max_allocation"),
                change(
                        "{}",
                        "{'crypto':{'min':0,'target':0,'max':0}}",
                        "mixed",
                        "looser: sell 50000 BTC; cash 45000, BTC 55000; crypto_min_allocation",
                        "tighter: buy 20000 BTC; cash 100000; crypto_max_allocation"),
                // Cash, drawdown, slippage
                change(
                        "{}",
                        "{'cashFloor':0.02}",
                        "looser",
                        "looser: buy 20000 BTC; cash 24000, SPY 76000; cash_floor"),
                change(
                        "{}",
                        "{'cashFloor':0.1}",
                        "tighter",
                        "tighter: buy 20000 BTC; cash 28000, SPY 72000; cash_floor"),
                change("{}", "{'cashFloor':0}", "looser", "looser: buy 20000 BTC; cash 22000, SPY 78000; cash_floor"),
                change(
                        "{}",
                        "{'maxDrawdown':0.2}",
                        "mixed",
                        "looser: sell 50000 BTC at 0.5; cash 30000, BTC 70000; peak 133200; drawdown_exceeded",
                        "tighter: buy 20000 BTC; cash 100000; peak 130000; drawdown_exceeded"),
                change(
                        "{}",
                        "{'maxDrawdown':0.3}",
                        "mixed",
                        "looser: buy 20000 BTC; cash 100000; peak 140000; drawdown_exceeded",
                        "tighter: sell 50000 BTC at 0.5; cash 30000, BTC 70000; peak 142600; drawdown_exceeded"),
                change(
                        "{'maxSlippage':0}",
                        "{'maxDrawdown':0.3}",
                        "looser",
                        "looser: buy 20000 BTC; cash 100000; peak 140000; drawdown_exceeded"),
                change(
                        "{}",
                        "{'maxSlippage':0.02}",
                        "looser",
                        "looser: buy 20000 BTC at 1.5; cash 100000; slippage_exceeded"),
                change(
                        "{}",
                        "{'maxSlippage':0.005}",
                        "tighter",
                        "tighter: buy 20000 BTC at 0.8; cash 100000; slippage_exceeded"),
                // Actions, authority, unknown assets, paused
                change(
                        "{}",
                        "{'allowedActions':['buy']}",
                        "tighter",
                        "tighter: sell 50000 BTC; cash 30000, BTC 70000; action_not_allowed"),
                change(
                        "{}",
                        "{'allowedActions':['sell']}",
                        "tighter",
                        "tighter: buy 20000 BTC; cash 100000; action_not_allowed"),
                change(
                        "{'allowedActions':['buy']}",
                        "{'allowedActions':['sell']}",
                        "mixed",
                        "looser: sell 50000 BTC; cash 30000, BTC 70000; action_not_allowed",
                        "tighter: buy 20000 BTC; cash 100000; action_not_allowed"),
                change("{}", "{'paused':true}", "tighter", "tighter: buy 20000 BTC; cash 100000; action_not_allowed"),
                change(
                        "{'paused':true}",
                        "{'paused':false}",
                        "looser",
                        "looser: buy 20000 BTC; cash 100000; action_not_allowed"),
                change(
                        "{}",
                        "{'assetAuthority':{'default':'full','assets':{'ETH':'protect'}}}",
                        "tighter",
                        "tighter: sell 50000 ETH; cash 30000, ETH 70000; asset_authority_protect_sell"),
                change(
                        "{}",
                        "{'assetAuthority':{'default':'full','assets':{'ETH':'monitor'}}}",
                        "tighter",
                        "tighter: buy 20000 ETH; cash 100000; asset_authority_monitor"),
                change(
                        "{}",
                        "{'assetAuthority':{'default':'protect','assets':{}}}",
                        "tighter",
                        "tighter: sell 50000 BTC; cash 30000, BTC 70000; asset_authority_protect_sell"),
                change(
                        "{'assetAuthority':{'default':'monitor','assets':{}}}",
                        "{'assetAuthority':{'default':'monitor','assets':{'SPY':'protect'}}}",
                        "looser",
                        "looser: buy 50000 SPY; cash 100000; asset_authority_monitor"),
                change(
                        "{}",
                        "{'unknownAssets':'block'}",
                        "tighter",
                        "tighter: buy 20000 UNLISTED1; cash 100000; asset_authority_monitor"),
                change(
                        "{'unknownAssets':'block'}",
                        "{'unknownAssets':'as_said'}",
                        "looser",
                        "looser: buy 20000 UNLISTED1; cash 100000; asset_authority_monitor"),
                // Standing rules
                change(
                        "{}",
                        rule("block", "{}"),
                        "tighter",
                        "tighter: buy 20000 BTC; cash 100000; standing_rule_blocked"),
                change(
                        "{}",
                        rule("block", "{'actions':['sell']}"),
                        "tighter",
                        "tighter: sell 50000 BTC; cash 30000, BTC 70000; standing_rule_blocked"),
                change(
                        "{}",
                        rule("block", "{'symbols':['DOGE']}"),
                        "tighter",
                        "tighter: buy 20000 DOGE; cash 100000; standing_rule_blocked"),
                change(
                        "{}",
                        rule("block", "{'symbols':['DOGE'],'actions':['buy']}"),
                        "tighter",
                        "tighter: buy 20000 DOGE; cash 100000; standing_rule_blocked"),
                change(
                        "{}",
                        rule("block", "{'assetTypes':['crypto']}"),
                        "tighter",
                        "tighter: buy 20000 BTC; cash 100000; standing_rule_blocked"),
                change(
                        "{}",
                        rule("block", "{'amountUsdAbove':10000}"),
                        "tighter",
                        "tighter: buy 20000 BTC; cash 100000; standing_rule_blocked"),
                change(
                        rule("block", "{'amountUsdAbove':5000}"),
                        rule("block", "{'amountUsdAbove':10000}"),
                        "looser",
                        "looser: buy 8000 BTC; cash 100000; standing_rule_blocked"),
                change(
                        "{}",
                        rule("require_approval", "{'amountUsdAbove':10000}"),
                        "tighter",
                        "tighter: buy 20000 BTC; cash 100000; standing_rule_requires_approval"),
                change(
                        rule("require_approval", "{'amountUsdAbove':5000}"),
                        rule("block", "{'amountUsdAbove':5000}"),
                        "equivalent"),
                change(
                        "{}",
                        rule("block", "{'hours':{'start':22,'end':6,'tz':'America/New_York'}}"),
                        "tighter",
                        "tighter: buy 20000 BTC; cash 100000; Sat 03:00; standing_rule_blocked"),
                change(
                        "{}",
                        rule("block", "{'daysOfWeek':['SAT','SUN']}"),
                        "tighter",
                        "tighter: buy 20000 BTC; cash 100000; Sat 00:00; standing_rule_blocked"),
                change(
                        "{}",
                        rule("block", "{'daysOfWeek':['SAT','SUN'],'symbols':['SPY']}"),
                        "tighter",
                        "tighter: buy 50000 SPY; cash 100000; Sat 00:00; standing_rule_blocked"),
                change(
                        rule("block", "{'daysOfWeek':['SAT']}"),
                        rule("block", "{'daysOfWeek':['SUN']}"),
                        "mixed",
                        "looser: buy 20000 BTC; cash 100000; Sat 00:00; standing_rule_blocked",
                        "tighter: buy 20000 BTC; cash 100000; Sun 00:00; standing_rule_blocked"),
                change(
                        rule("block", "{'symbols':['DOGE']}"),
                        rule("block", "{'symbols':['DOGE','SHIB']}"),
                        "tighter",
                        "tighter: buy 20000 SHIB; cash 100000; standing_rule_blocked"),
                change(
                        "{}",
                        rule("block", "{'symbols':['MYCOIN']}"),
                        "tighter",
                        "tighter: buy 20000 MYCOIN; cash 100000; standing_rule_blocked"),
                change(
                        rule("block", "{'symbols':['BTC','ETH','DOGE']}"),
                        rule("block", "{'symbols':['BTC','ETH','SHIB']}"),
                        "mixed",
                        "looser: buy 20000 DOGE; cash 100000; standing_rule_blocked",
                        "tighter: buy 20000 SHIB; cash 100000; standing_rule_blocked"),
                // Approvals
                change(
                        rule("require_approval", "{}"),
                        "{'approvals':[{'ruleId':'rule','until':'2026-11-29T00:00:00Z'}]}",
                        "looser",
                        "looser: buy 20000 BTC; cash 100000; standing_rule_requires_approval"),
                change(
                        rule("require_approval", "{}"),
                        "{'approvals':[{'ruleId':'rule','until':'2026-11-29T00:00:00Z','maxAmountUsd':500}]}",
                        "looser",
                        "looser: buy 200 BTC; cash 100000; standing_rule_requires_approval"),
                change(
                        rule("require_approval", "{}"),
                        "{'approvals':[{'ruleId':'rule','until':'2026-11-29T00:00:00Z','symbol':'ETH',"
                                + "'agentKeyId':'00000000-0000-0000-0000-000000000007','action':'buy'}]}",
                        "looser",
                        "looser: buy 20000 ETH; cash 100000; key 00000000-0000-0000-0000-000000000007; standing_rule_requires_approval"),
                // Limits
                change(
                        "{}",
                        limit("'kind':'position','max':0.25,'scope':{'symbols':['BTC']}"),
                        "tighter",
                        "tighter: buy 20000 BTC; cash 90000, BTC 10000; standing_rule_blocked"),
                change(
                        "{}",
                        limit("'kind':'position','max':0.25,'perAsset':true"),
                        "tighter",
                        "tighter: buy 20000 BTC; cash 90000, BTC 10000; standing_rule_blocked"),
                change(
                        "{}",
                        limit("'kind':'position','max':0.05,'scope':{'symbols':['DOGE','SHIB']}"),
                        "tighter",
                        "tighter: buy 20000 DOGE; cash 100000; standing_rule_blocked"),
                change(
                        "{}",
                        limit("'kind':'position','max':0.3,'scope':{'assetTypes':['crypto']}"),
                        "tighter",
                        "tighter: buy 20000 BTC; cash 85000, BTC 15000; standing_rule_blocked"),
                change(
                        limit("'kind':'position','max':0.25,'perAsset':true"),
                        limit("'kind':'position','max':0.3,'perAsset':true"),
                        "looser",
                        "looser: buy 20000 BTC; cash 92000, BTC 8000; standing_rule_blocked"),
                change(
                        limit("'kind':'position','max':0.25,'scope':{'assetTypes':['crypto']},'perAsset':true"),
                        limit("'kind':'position','max':0.25,'scope':{'assetTypes':['crypto']}"),
                        "tighter",
                        "tighter: buy 20000 BTC; cash 90000, ETH 10000; standing_rule_blocked"),
                change(
                        "{}",
                        limit("'kind':'flow','windowMinutes':1440,'maxUsd':5000"),
                        "tighter",
                        "tighter: buy 20000 BTC; cash 100000; standing_rule_blocked"),
                change(
                        "{}",
                        limit("'kind':'flow','windowMinutes':10,'maxTrades':1,'per':'asset'"),
                        "tighter",
                        "tighter: buy 20000 BTC; cash 100000; used 20000 in 1; standing_rule_blocked"),
                change(
                        limit("'kind':'flow','windowMinutes':1440,'maxUsd':5000"),
                        limit("'kind':'flow','windowMinutes':1440,'maxUsd':8000"),
                        "looser",
                        "looser: buy 6000 BTC; cash 100000; standing_rule_blocked"),
                change(
                        limit("'kind':'flow','windowMinutes':1440,'maxTrades':3"),
                        limit("'kind':'flow','windowMinutes':1440,'maxTrades':5"),
                        "looser",
                        "looser: buy 20000 BTC; cash 100000; used 60000 in 3; standing_rule_blocked"),
                change(
                        limit("'kind':'flow','windowMinutes':1440,'maxUsd':5000"),
                        limit("'kind':'flow','windowMinutes':720,'maxUsd':5000"),
                        "mixed",
                        "looser: buy 2000 BTC; cash 100000; used 5000 in 1; standing_rule_blocked",
                        "tighter: buy 2000 BTC; cash 100000; used 5000 in 1; standing_rule_blocked"),
                change(
                        limit("'kind':'flow','windowMinutes':1440,'maxUsd':5000"),
                        limit("'kind':'flow','windowMinutes':1440,'maxUsd':5000,'maxTrades':3"),
                        "tighter",
                        "tighter: buy 2000 BTC; cash 100000; used 3000 in 3; standing_rule_blocked"),
                change(
                        "{}",
                        limit("'kind':'loss','windowDays':1,'max':0.05"),
                        "tighter",
                        "tighter: buy 20000 BTC; cash 100000; peak 120000; standing_rule_blocked"),
                change(
                        "{}",
                        limit("'kind':'loss','windowDays':7,'max':0.05"),
                        "tighter",
                        "tighter: buy 20000 BTC; cash 100000; peak 120000; standing_rule_blocked"),
                change(
                        limit("'kind':'loss','windowDays':1,'max':0.05"),
                        limit("'kind':'loss','windowDays':7,'max':0.05"),
                        "tighter",
                        "tighter: buy 20000 BTC; cash 100000; peak 120000 6 days ago; standing_rule_blocked"),
                change(
                        limit("'kind':'loss','windowDays':1,'max':0.05"),
                        limit("'kind':'loss','windowDays':1,'max':0.1"),
                        "looser",
                        "looser: buy 20000 BTC; cash 100000; peak 110000; standing_rule_blocked"),
                change(
                        "{'assetAuthority':{'default':'full','assets':{'MYCOIN':'full'}},"
                                + "'limits':[{'id':'limit','kind':'flow','windowMinutes':10,'maxTrades':1,'per':'asset'}]}",
                        "{'assetAuthority':{'default':'full','assets':{}}}",
                        "mixed",
                        "looser: buy 20000 MYCOINUSD; cash 100000; used 20000 in 1; standing_rule_blocked",
                        "tighter: buy 20000 MYCOINUSD; cash 100000; used 20000 in 1; standing_rule_blocked"),
                // Several at once
                change(
                        "{}",
                        "{'crypto':{'min':0.1,'target':0.2,'max':0.5},'cashFloor':0.1}",
                        "mixed",
                        "looser: buy 20000 BTC; cash 75000, BTC 25000; crypto_max_allocation",
                        "tighter: buy 20000 BTC; cash 28000, SPY 72000; cash_floor"),
                change(
                        "{}",
                        "{'crypto':{'min':0.1,'target':0.2,'max':0.5},'maxSlippage':0.02}",
                        "looser",
                        "looser: buy 20000 BTC at 1.5; cash 100000; slippage_exceeded"),
                change(
                        limit("'kind':'flow','windowMinutes':1440,'maxUsd':5000"),
                        "{'crypto':{'min':0.1,'target':0.2,'max':0.5}}",
                        "looser",
                        "looser: buy 2000 BTC; cash 60000, BTC 40000; crypto_max_allocation"),
                change(
                        limit("'kind':'position','max':0.2,'perAsset':true"),
                        "{'crypto':{'min':0.1,'target':0.2,'max':0.5}}",
                        "looser",
                        "looser: buy 10000 BTC; cash 65000, ETH 35000; crypto_max_allocation"),
                change(
                        rule("block", "{'amountUsdAbove':1000}"),
                        "{'cashFloor':0.1}",
                        "tighter",
                        "tighter: buy 500 BTC; cash 10000, SPY 90000; cash_floor"));
    }

    private static String rule(String effect, String when) {
        return "{'standingRules':[{'id':'rule','effect':'" + effect + "','when':" + when + "}]}";
    }

    private static String limit(String members) {
        return "{'limits':[{'id':'limit'," + members + "}]}";
    }

    @ParameterizedTest
    @MethodSource("changes")
    void aChangeIsShownByTheTradeOfAPerson(Change change) {
        Document from = JsonSamples.merged(json(BASE), json(change.from));
        Ips before = IpsDocument.read(from).orElseThrow();
        Ips after = IpsDocument.read(JsonSamples.merged(from, json(change.to))).orElseThrow();
        PolicyComparison comparison = PolicyComparison.of(before, after, NOW);
        List<String> lines = new ArrayList<>();
        lines.add(comparison.relation().wireName());
        for (TradeWitness witness : comparison.witnesses()) {
            assertThat(witness.situation().decide(before)).isEqualTo(witness.before());
            assertThat(witness.situation().decide(after)).isEqualTo(witness.after());
            assertThat(witness.isPlain()).as("%s: %s", change, witness).isTrue();
            lines.add(line(witness));
        }
        assertThat(lines).as(change.toString()).isEqualTo(change.expected);
    }

    private static Document json(String text) {
        return JsonSamples.object(text.replace('\'', '"'));
    }

    /** A witness in one line: what it shows, the trade, what is held, and whatever else is the point. */
    private static String line(TradeWitness witness) {
        Situation it = witness.situation();
        StringBuilder line = new StringBuilder(witness.shows().wireName());
        line.append(": ").append(it.trade().action().wireName()).append(' ');
        line.append(plain(it.trade().amount().value()))
                .append(' ')
                .append(it.trade().asset());
        if (it.trade().expectedSlippage() != null) {
            line.append(" at ").append(it.trade().expectedSlippage());
        }
        line.append("; cash ").append(plain(it.cash().value()));
        for (Position held : it.positions()) {
            line.append(", ")
                    .append(held.symbol())
                    .append(' ')
                    .append(plain(held.quantity().multiply(held.price().value())));
        }
        if (it.peak() != null) {
            line.append("; peak ")
                    .append(plain(it.peak().value()))
                    .append(it.peakDaysAgo() == 0 ? "" : " " + it.peakDaysAgo() + " days ago");
        }
        UsedFlow used = it.used();
        if (used != null) {
            line.append("; used ")
                    .append(plain(used.usd().value()))
                    .append(" in ")
                    .append(used.trades());
        }
        if (it.agentKeyId() != null) {
            line.append("; key ").append(it.agentKeyId());
        }
        if (!it.at().equals(NOW)) {
            line.append("; ")
                    .append(DateTimeFormatter.ofPattern("EEE HH:mm", Locale.ROOT)
                            .format(it.at().atOffset(ZoneOffset.UTC)));
        }
        List<String> rules = Stream.concat(
                        witness.before().violations().stream(), witness.after().violations().stream())
                .map(Violation::rule)
                .map(rule -> rule.wireName())
                .toList();
        return line.append("; ").append(String.join(" ", rules)).toString();
    }

    private static String plain(BigDecimal number) {
        return number.stripTrailingZeros().toPlainString();
    }
}
