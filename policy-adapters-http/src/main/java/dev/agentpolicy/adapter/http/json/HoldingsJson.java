package dev.agentpolicy.adapter.http.json;

import dev.agentpolicy.domain.custodian.CustodianConnection;
import dev.agentpolicy.domain.custodian.CustodianConnection.ConnectionStatus;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.OpenOrder;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.PortfolioDay;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.portfolio.Snapshot;
import dev.agentpolicy.domain.usecase.agent.ReadState.AccountHoldings;
import dev.agentpolicy.domain.usecase.custodian.ConnectCustodian.ListedCustodian;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Writes holdings (docs/reference/agent-api.md, holdings), and custodians without credentials (docs/reference/custodians.md).
 * Amounts within a custodian are decimal strings.
 */
public final class HoldingsJson {

    private HoldingsJson() {}

    /** Writes holdings; an empty list for a user who never had any. */
    public static void write(JsonWriter out, AccountHoldings holdings) {
        Portfolio portfolio = holdings.portfolio();
        List<CustodianHoldings> custodians = portfolio == null ? List.of() : portfolio.custodians();
        out.instant("asOf", portfolio == null ? null : portfolio.asOf())
                .object("snapshot", holdings.snapshot(), DecisionJson::snapshot);
        DecisionJson.stale(out, holdings.stale());
        out.array("custodians", custodians, (each, custodian) -> custodian(each, custodian, holdings));
    }

    /** Writes value, peak, allocation and drawdown at the end of a day. */
    public static void day(JsonWriter out, PortfolioDay day) {
        Snapshot snapshot = day.snapshot();
        out.id("day", LocalDate.ofInstant(day.asOf(), ZoneOffset.UTC))
                .number("totalValue", day.total())
                .number("peakValue", day.peak().max(day.total()).value())
                .number("currentDrawdownPct", snapshot == null ? null : snapshot.currentDrawdown());
        DecisionJson.shares(out, snapshot);
    }

    private static void custodian(JsonWriter out, CustodianHoldings holdings, AccountHoldings all) {
        List<OpenOrder> open = holdings.openOrders();
        out.text("id", holdings.id())
                .text("name", holdings.name())
                .text("kind", holdings.kind().wireName())
                .instant("syncedAt", all.syncedAt(holdings))
                .text("cash", Decimals.text(holdings.cash().value()))
                .array("positions", holdings.positions(), HoldingsJson::position)
                .present(
                        "openOrders",
                        open.isEmpty() ? null : open,
                        (members, name, orders) -> members.array(name, orders, HoldingsJson::openOrder));
    }

    private static void openOrder(JsonWriter out, OpenOrder order) {
        out.text("action", order.action().wireName())
                .text("symbol", order.symbol().value())
                .text("assetType", order.assetType().wireName())
                .text("restUsd", Decimals.text(order.rest().value()));
    }

    private static void position(JsonWriter out, Position position) {
        out.text("symbol", position.symbol().value())
                .text("assetType", position.assetType().wireName())
                .text("quantity", Decimals.text(position.quantity()))
                .text("price", Decimals.text(position.price().value()))
                .text("marketValue", Decimals.text(position.marketValue().value()));
    }

    /**
     * Writes a custodian.
     *
     * @param now decides whether a connection that was not synced for long is stale
     */
    public static void write(JsonWriter out, ListedCustodian custodian, Instant now) {
        out.text("id", custodian.id())
                .text("name", custodian.name())
                .text("kind", custodian.kind().wireName());
        CustodianConnection connection = custodian.connection();
        if (connection == null) {
            out.text("status", ConnectionStatus.CONNECTED.wireName()).instant("lastSyncedAt", custodian.lastSyncedAt());
            return;
        }
        // Holdings that are too old to be decided by make a connection stale, even if its last sync succeeded.
        boolean isStale = connection.status() == ConnectionStatus.CONNECTED && connection.isTooOld(now);
        ConnectionStatus status = isStale ? ConnectionStatus.STALE : connection.status();
        out.text("environment", connection.environment().wireName())
                .text("status", status.wireName())
                .instant("lastSyncedAt", custodian.lastSyncedAt())
                .present("error", connection.error(), JsonWriter::text)
                .present("warning", connection.warning(), JsonWriter::text);
    }
}
