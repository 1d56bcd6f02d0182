package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.portfolio.Drift;
import dev.agentpolicy.domain.portfolio.LimitHeadroom;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Utilization;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.rule.Rule;
import dev.agentpolicy.domain.usecase.policy.ReadHome.Blocked;
import dev.agentpolicy.domain.usecase.policy.ReadHome.Home;
import dev.agentpolicy.domain.usecase.policy.ReadHome.Waiting;
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
                .object("drift", home.utilization(), (members, utilization) -> drift(members, utilization, home))
                .object("pending", home.waiting(), HomeJson::waiting)
                .object("blocked", home.blocked(), HomeJson::blocked)
                .array(
                        "custodians",
                        home.custodians(),
                        (members, custodian) -> CustodianJson.write(members, custodian, home.readAt()));
    }

    private static void value(JsonWriter out, Portfolio portfolio, Home home) {
        Usd total = portfolio.total();
        out.instant("asOf", portfolio.asOf())
                .number("totalValue", total.value())
                .object("last24Hours", home.dayAgo(), (members, then) -> change(members, then, total))
                .object("sinceLastClose", home.lastClose(), (members, then) -> change(members, then, total));
    }

    private static void change(JsonWriter out, Portfolio then, Usd now) {
        Usd before = then.total();
        Usd change = now.minus(before);
        out.instant("asOf", then.asOf())
                .number("totalValue", before.value())
                .number("changeUsd", change.value())
                .number(
                        "changePct",
                        before.isZero()
                                ? null
                                : change.shareOf(before).rounded().value());
    }

    private static void limit(JsonWriter out, LimitHeadroom headroom) {
        out.text("rule", headroom.rule().wireName())
                .number("limit", headroom.limit().value())
                .number("actual", headroom.actual().value())
                .number("headroomPct", headroom.left().value())
                .number("headroomUsd", headroom.leftUsd().value());
    }

    private static void drift(JsonWriter out, Utilization utilization, Home home) {
        out.truth("outOfBand", !home.drift().isEmpty())
                .array("beyond", home.drift(), HomeJson::beyond)
                .number("cryptoFromTarget", utilization.cryptoDrift().value())
                .number("tradfiFromTarget", utilization.tradfiDrift().value());
    }

    private static void beyond(JsonWriter out, Drift drift) {
        out.text("rule", drift.rule().wireName())
                .number("limit", drift.limit().value())
                .number("actual", drift.actual().value());
    }

    private static void waiting(JsonWriter out, Waiting waiting) {
        out.integer("count", waiting.count())
                .truth("atLeast", waiting.isCut())
                .array("newest", waiting.newest(), RequestJson::write);
    }

    private static void blocked(JsonWriter out, Blocked blocked) {
        out.instant("since", blocked.since())
                .integer("count", blocked.count())
                .truth("atLeast", blocked.isCut())
                .array("byRule", blocked.byRule().entrySet(), HomeJson::ofRule);
    }

    private static void ofRule(JsonWriter out, Map.Entry<Rule, Integer> entry) {
        out.text("rule", entry.getKey().wireName()).integer("count", entry.getValue());
    }
}
