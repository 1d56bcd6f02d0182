package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.LimitHeadroom;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Utilization;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.usecase.policy.ReadHome.Home;
import dev.agentpolicy.domain.usecase.policy.StoredPair;
import java.util.Map;

/** Writes how an account stands at a glance (docs/reference/app-api.md, the home page). */
public final class HomeJson {

    private HomeJson() {}

    public static void write(JsonWriter out, Home home) {
        IpsVersion ips = home.ips();
        out.instant("readAt", home.readAt())
                .integer("ipsVersion", ips == null ? null : ips.version())
                .truth("paused", home.isPaused())
                .integer("activeKeys", home.activeKeys())
                .object("value", home.portfolio(), (members, portfolio) -> value(members, portfolio, home))
                .object("snapshot", home.snapshot(), DecisionJson::snapshot);
        DecisionJson.stale(out, home.stale());
        out.array("limits", home.limits(), HomeJson::limit)
                .array("policyLimits", home.policyLimits(), IpsJson::standing)
                .object("drift", home.utilization(), (members, utilization) -> drift(members, utilization, home))
                .object(
                        "pending",
                        home.waiting(),
                        (waiting, it) -> waiting.integer("count", it.count())
                                .truth("atLeast", it.isCut())
                                .array("newest", it.newest(), RequestJson::write))
                .object(
                        "blocked",
                        home.blocked(),
                        (blocked, it) -> blocked.instant("since", it.since())
                                .integer("count", it.count())
                                .truth("atLeast", it.isCut())
                                .array("byRule", it.byRule().entrySet(), HomeJson::ofRule))
                .array(
                        "custodians",
                        home.custodians(),
                        (members, custodian) -> HoldingsJson.write(members, custodian, home.readAt()))
                .array("storedPairs", home.storedPairs(), HomeJson::storedPair);
    }

    private static void value(JsonWriter out, Portfolio portfolio, Home home) {
        Usd total = portfolio.total();
        out.instant("asOf", portfolio.asOf())
                .number("totalValue", total)
                .object("last24Hours", home.dayAgo(), (members, then) -> change(members, then, total))
                .object("sinceLastClose", home.lastClose(), (members, then) -> change(members, then, total));
    }

    private static void change(JsonWriter out, Portfolio then, Usd now) {
        Usd before = then.total();
        Usd change = now.minus(before);
        out.instant("asOf", then.asOf())
                .number("totalValue", before)
                .number("changeUsd", change)
                .number(
                        "changePct",
                        before.isZero() ? null : change.shareOf(before).rounded());
    }

    private static void limit(JsonWriter out, LimitHeadroom headroom) {
        out.text("rule", headroom.rule().wireName())
                .number("limit", headroom.limit())
                .number("actual", headroom.actual())
                .number("headroomPct", headroom.left())
                .number("headroomUsd", headroom.leftUsd());
    }

    private static void drift(JsonWriter out, Utilization utilization, Home home) {
        out.truth("outOfBand", !home.drift().isEmpty())
                .array(
                        "beyond",
                        home.drift(),
                        (beyond, it) -> beyond.text("rule", it.rule().wireName())
                                .number("limit", it.limit())
                                .number("actual", it.actual()))
                .number("cryptoFromTarget", utilization.cryptoDrift())
                .number("tradfiFromTarget", utilization.tradfiDrift());
    }

    private static void storedPair(JsonWriter out, StoredPair stored) {
        AssetSymbol quote = stored.pair().quote();
        out.text("symbol", stored.symbol().value())
                .text("base", stored.pair().base().value())
                .text("quote", quote == null ? null : quote.value())
                .texts("in", stored.places(), StoredPair.Place::wireName);
    }

    private static void ofRule(JsonWriter out, Map.Entry<Rule, Integer> entry) {
        out.text("rule", entry.getKey().wireName()).integer("count", entry.getValue());
    }
}
