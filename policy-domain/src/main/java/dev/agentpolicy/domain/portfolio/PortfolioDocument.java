package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.portfolio.SyncHistory.EarlierPrices;
import dev.agentpolicy.domain.portfolio.SyncHistory.HeldAt;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes and reads stored revisions of a portfolio, with decimals as text. */
public final class PortfolioDocument {

    private PortfolioDocument() {}

    /** The members of a revision. */
    public static Map<String, @Nullable Object> toStored(Portfolio portfolio) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("revision", portfolio.revision());
        members.put("holdingsRevision", portfolio.holdingsRevision());
        members.put("peak", Decimals.text(portfolio.peak().value()));
        members.put("asOf", Instants.format(portfolio.asOf()));
        members.put(
                "custodians",
                portfolio.custodians().stream().map(HoldingsDocument::toStored).toList());
        SyncHistory history = portfolio.history();
        if (!history.totals().isEmpty()) {
            members.put(
                    "syncs",
                    history.totals().stream().map(PortfolioDocument::toStored).toList());
        }
        if (!history.earlier().isEmpty()) {
            members.put(
                    "earlierPrices",
                    history.earlier().entrySet().stream()
                            .map(entry -> toStored(entry.getKey(), entry.getValue()))
                            .toList());
        }
        return members;
    }

    private static Map<String, @Nullable Object> toStored(SyncTotal sync) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("custodian", sync.custodian());
        members.put("at", Instants.format(sync.at()));
        members.put("total", Decimals.text(sync.total().value()));
        return members;
    }

    private static SyncTotal readSync(Stored stored) {
        return new SyncTotal(stored.text("custodian"), stored.instant("at"), new Usd(stored.decimal("total")));
    }

    private static Map<String, @Nullable Object> toStored(HeldAt held, EarlierPrices prices) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("custodian", held.custodian());
        members.put("symbol", held.symbol().value());
        members.put("assetType", held.assetType().wireName());
        members.put("last", Decimals.text(prices.last().value()));
        members.put("beforeLast", Decimals.text(prices.beforeLast().value()));
        return members;
    }

    private static Map.Entry<HeldAt, EarlierPrices> readEarlier(Stored stored) {
        HeldAt held = new HeldAt(
                stored.text("custodian"),
                new AssetSymbol(stored.text("symbol")),
                stored.word("assetType", AssetType.class));
        return Map.entry(
                held, new EarlierPrices(new Usd(stored.decimal("last")), new Usd(stored.decimal("beforeLast"))));
    }

    /** Portfolios that were stored before brokers had to confirm a peak have no history. */
    private static SyncHistory readHistory(Stored stored) {
        Map<HeldAt, EarlierPrices> earlier = new HashMap<>();
        if (stored.has("earlierPrices")) {
            stored.objects("earlierPrices", PortfolioDocument::readEarlier)
                    .forEach(entry -> earlier.put(entry.getKey(), entry.getValue()));
        }
        return new SyncHistory(
                stored.has("syncs") ? stored.objects("syncs", PortfolioDocument::readSync) : List.of(), earlier);
    }

    /** Reads what {@link #toStored} wrote. */
    public static Portfolio readStored(Stored stored) {
        long revision = stored.integer("revision");
        return new Portfolio(
                revision,
                stored.objects("custodians", HoldingsDocument::readStored),
                new Usd(stored.decimal("peak")),
                stored.instant("asOf"),
                stored.has("holdingsRevision") ? stored.integer("holdingsRevision") : revision,
                readHistory(stored));
    }
}
