package dev.agentpolicy.domain.portfolio;

import static dev.agentpolicy.domain.document.Schema.required;
import static dev.agentpolicy.domain.document.Schema.unlessEmpty;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Decimals;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Fields;
import dev.agentpolicy.domain.document.Reading;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.AssetResolver;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import dev.agentpolicy.domain.trade.ResolvedAsset;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Reads the holdings that a user sends, and reads and writes stored holdings. */
public final class HoldingsDocument {
    public static final int MAX_POSITIONS = 500;
    public static final int MAX_NAME = 100;
    /** The most cash, and the highest price of a unit, in USD. */
    public static final BigDecimal MAX_USD = new BigDecimal("1000000000000");

    public static final BigDecimal MAX_QUANTITY = new BigDecimal("1000000000000000");
    public static final int USD_DECIMALS = 8;
    public static final int QUANTITY_DECIMALS = 18;

    /** Cash and prices as users send them. */
    public static final Codec<Usd> AMOUNT =
            Codec.decimal(BigDecimal.ZERO, MAX_USD, USD_DECIMALS).as(Usd::new, Usd::value);

    /** The members of a position that users send and books have. */
    public static final Schema<Position> POSITION = Schema.of(
            row -> new Position(row.next(), row.next(), row.next(), row.next()),
            required("symbol", AssetSymbol.CODEC, Position::symbol),
            required("assetType", Codec.word(AssetType.class), Position::assetType),
            required("quantity", Codec.decimal(BigDecimal.ZERO, MAX_QUANTITY, QUANTITY_DECIMALS), Position::quantity),
            required("price", AMOUNT, Position::price));

    /** The positions of one custodian; no symbol stands twice in one sleeve. */
    public static final Codec<List<Position>> POSITIONS = new Codec<>(
            (fields, name) -> fields.has(name) ? positions(fields) : null,
            positions -> positions.stream().map(POSITION::write).toList());

    /** Aliases and pairs that older versions stored become canonical symbols. */
    public static final Schema<CustodianHoldings> STORED = Schema.of(
            row -> new CustodianHoldings(
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    spelled(row.next()),
                    row.nextOr(List.of())),
            required("id", Codec.TEXT, CustodianHoldings::id),
            required("name", Codec.TEXT, CustodianHoldings::name),
            required("kind", Codec.word(CustodianKind.class), CustodianHoldings::kind),
            required("syncedAt", Codec.INSTANT, CustodianHoldings::syncedAt),
            required("revision", Codec.LONG, CustodianHoldings::revision),
            required("cash", Usd.CODEC, CustodianHoldings::cash),
            required("positions", Codec.list(POSITION), CustodianHoldings::positions),
            unlessEmpty("openOrders", Codec.list(OpenOrder.STORED), CustodianHoldings::openOrders));

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
            Position position = POSITION.read(item);
            if (position != null && !seen.add(position.assetType() + " " + position.symbol())) {
                item.problem("symbol", "must not be listed twice in one sleeve");
            }
            return position;
        });
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
}
