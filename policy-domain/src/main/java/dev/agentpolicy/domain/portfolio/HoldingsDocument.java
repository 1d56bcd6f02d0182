package dev.agentpolicy.domain.portfolio;

import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Instants;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Stored;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the holdings that a user sends, and reads and writes stored holdings. */
public final class HoldingsDocument {
    public static final int MAX_POSITIONS = 500;
    public static final int MAX_NAME = 100;
    /** The most cash, and the highest price of a unit, in USD. */
    public static final BigDecimal MAX_USD = new BigDecimal("1000000000000");

    public static final BigDecimal MAX_QUANTITY = new BigDecimal("1000000000000000");
    public static final int USD_DECIMALS = 8;
    public static final int QUANTITY_DECIMALS = 18;

    private HoldingsDocument() {}

    /** Reads holdings that a user sent, with numbers or decimal strings. */
    public static Reading<CustodianHoldings> read(String id, Document sent, Instant now) {
        Fields fields = new Fields(sent, Decimals.NUMBERS_OR_TEXT);
        Supplier<CustodianHoldings> holdings = read(id, fields, now);
        return fields.finish(holdings);
    }

    /** Reads holdings that are part of a larger document. The supplier may be asked only if there is no problem. */
    public static Supplier<CustodianHoldings> read(String id, Fields fields, Instant now) {
        String name = fields.plainText("name", 1, MAX_NAME);
        CustodianKind kind = fields.word("kind", new CustodianKind[] {CustodianKind.PAPER}, CustodianKind::wireName);
        BigDecimal cash = fields.decimal("cash", BigDecimal.ZERO, MAX_USD, USD_DECIMALS);
        List<Position> positions = positions(fields);
        fields.require("name", "kind", "cash", "positions");
        return () -> new CustodianHoldings(
                id, Fields.present(name), Fields.present(kind), now, 1, new Usd(Fields.present(cash)), positions);
    }

    /** Positions as a field of a larger document. */
    static List<Position> positions(Fields fields) {
        Set<String> seen = new HashSet<>();
        return fields.objects("positions", MAX_POSITIONS, item -> {
            Position position = position(item);
            if (position != null && !seen.add(position.assetType() + " " + position.symbol())) {
                item.problem("symbol", "must not be listed twice in one sleeve");
            }
            return position;
        });
    }

    private static @Nullable Position position(Fields item) {
        AssetSymbol symbol = item.meaning("symbol", AssetSymbol.EXPECTED, AssetSymbol::of);
        AssetType type = item.word("assetType", AssetType.class);
        BigDecimal quantity = item.decimal("quantity", BigDecimal.ZERO, MAX_QUANTITY, QUANTITY_DECIMALS);
        BigDecimal price = item.decimal("price", BigDecimal.ZERO, MAX_USD, USD_DECIMALS);
        item.require("symbol", "assetType", "quantity", "price");
        return symbol == null || type == null || quantity == null || price == null
                ? null
                : new Position(symbol, type, quantity, new Usd(price));
    }

    /** The members of stored holdings, with decimals as text. */
    public static Map<String, @Nullable Object> toStored(CustodianHoldings holdings) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("id", holdings.id());
        members.put("name", holdings.name());
        members.put("kind", holdings.kind().wireName());
        members.put("syncedAt", Instants.format(holdings.syncedAt()));
        members.put("revision", holdings.revision());
        members.put("cash", Decimals.text(holdings.cash().value()));
        members.put(
                "positions",
                holdings.positions().stream().map(HoldingsDocument::toStored).toList());
        if (!holdings.openOrders().isEmpty()) {
            members.put(
                    "openOrders",
                    holdings.openOrders().stream()
                            .map(HoldingsDocument::toStored)
                            .toList());
        }
        return members;
    }

    private static Map<String, @Nullable Object> toStored(OpenOrder order) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("clientOrderId", order.clientOrderId());
        members.put("action", order.action().wireName());
        members.put("symbol", order.symbol().value());
        members.put("assetType", order.assetType().wireName());
        members.put("rest", Decimals.text(order.rest().value()));
        return members;
    }

    private static OpenOrder readStoredOpenOrder(Stored stored) {
        return new OpenOrder(
                stored.text("clientOrderId"),
                stored.word("action", Action.class),
                new AssetSymbol(stored.text("symbol")),
                stored.word("assetType", AssetType.class),
                new Usd(stored.decimal("rest")));
    }

    /** The members of a stored position. */
    public static Map<String, @Nullable Object> toStored(Position position) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("symbol", position.symbol().value());
        members.put("assetType", position.assetType().wireName());
        members.put("quantity", Decimals.text(position.quantity()));
        members.put("price", Decimals.text(position.price().value()));
        return members;
    }

    /** Reads what {@link #toStored} wrote. Aliases and pairs, stored by older versions, become canonical symbols. */
    public static CustodianHoldings readStored(Stored stored) {
        return new CustodianHoldings(
                stored.text("id"),
                stored.text("name"),
                stored.word("kind", CustodianKind.class),
                stored.instant("syncedAt"),
                stored.integer("revision"),
                new Usd(stored.decimal("cash")),
                spelled(stored.objects("positions", HoldingsDocument::readStoredPosition)),
                stored.has("openOrders")
                        ? stored.objects("openOrders", HoldingsDocument::readStoredOpenOrder)
                        : List.of());
    }

    /**
     * If two positions would get the same symbol, the later one keeps its spelling, because their prices may differ. A
     * position also keeps it if the asset is known to be in the other sleeve: it must not move the asset into its own.
     */
    private static List<Position> spelled(List<Position> positions) {
        AssetResolver resolver = AssetResolver.ofDirectory();
        Set<AssetSymbol> taken = new HashSet<>();
        positions.forEach(position -> taken.add(position.symbol()));
        return positions.stream()
                .map(position -> {
                    ResolvedAsset asset = resolver.resolve(position.symbol(), position.assetType(), "");
                    boolean isRenamed = !asset.symbol().equals(position.symbol())
                            && !asset.refuses(position.assetType())
                            && taken.add(asset.symbol());
                    return isRenamed ? position.of(asset.symbol()) : position;
                })
                .toList();
    }

    /** Reads a stored position as it is spelled. */
    public static Position readStoredPosition(Stored stored) {
        return new Position(
                new AssetSymbol(stored.text("symbol")),
                stored.word("assetType", AssetType.class),
                stored.decimal("quantity"),
                new Usd(stored.decimal("price")));
    }
}
