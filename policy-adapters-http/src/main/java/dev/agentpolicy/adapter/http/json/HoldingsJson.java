package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.portfolio.Snapshot;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes holdings (docs/reference/agent-api.md, holdings). Amounts within a custodian are decimal strings. */
public final class HoldingsJson {

    private HoldingsJson() {}

    /** Writes holdings; an empty list for a user who never had any. */
    public static void write(JsonWriter out, @Nullable Portfolio portfolio) {
        List<CustodianHoldings> custodians = portfolio == null ? List.of() : portfolio.custodians();
        out.instant("asOf", portfolio == null ? null : portfolio.asOf())
                .object("snapshot", snapshot(portfolio), DecisionJson::snapshot)
                .array("custodians", custodians, HoldingsJson::custodian);
    }

    /** Writes value, peak and drawdown at the end of a day. */
    public static void day(JsonWriter out, Portfolio portfolio) {
        Snapshot snapshot = snapshot(portfolio);
        out.text("day", LocalDate.ofInstant(portfolio.asOf(), ZoneOffset.UTC).toString())
                .number("totalValue", portfolio.total().value())
                .number("peakValue", portfolio.peak().value())
                .number(
                        "currentDrawdownPct",
                        snapshot == null ? null : snapshot.currentDrawdown().value());
    }

    static @Nullable Snapshot snapshot(@Nullable Portfolio portfolio) {
        return portfolio == null ? null : portfolio.snapshot().orElse(null);
    }

    private static void custodian(JsonWriter out, CustodianHoldings holdings) {
        out.text("id", holdings.id())
                .text("name", holdings.name())
                .text("kind", holdings.kind().wireName())
                .instant("syncedAt", holdings.syncedAt())
                .text("cash", Decimals.text(holdings.cash().value()))
                .array("positions", holdings.positions(), HoldingsJson::position);
    }

    private static void position(JsonWriter out, Position position) {
        out.text("symbol", position.symbol().value())
                .text("assetType", position.assetType().wireName())
                .text("quantity", Decimals.text(position.quantity()))
                .text("price", Decimals.text(position.price().value()))
                .text("marketValue", Decimals.text(position.marketValue().value()));
    }
}
