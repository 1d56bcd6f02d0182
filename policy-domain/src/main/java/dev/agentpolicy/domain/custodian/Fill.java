package dev.agentpolicy.domain.custodian;

import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Exact;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A trade at a custodian: all of an order, or a part of it.
 *
 * @param custodian id of the custodian
 * @param id the custodian's own id of the fill, unique there
 * @param clientOrderId the id the order was placed with; null when the custodian does not say
 * @param action bought or sold
 * @param symbol the asset
 * @param assetType its sleeve
 * @param quantity units, above 0
 * @param price of one unit in USD
 * @param amountUsd cash paid or received
 * @param executedAt by the custodian's clock
 */
public record Fill(
        String custodian,
        String id,
        @Nullable String clientOrderId,
        Action action,
        AssetSymbol symbol,
        AssetType assetType,
        BigDecimal quantity,
        Usd price,
        Usd amountUsd,
        Instant executedAt) {

    /** The members of a stored fill. */
    static final Schema<Fill> STORED = Schema.of(
            row -> new Fill(
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next()),
            required("custodian", Codec.TEXT, Fill::custodian),
            required("id", Codec.TEXT, Fill::id),
            nullable("clientOrderId", Codec.TEXT, Fill::clientOrderId),
            required("action", Codec.word(Action.class), Fill::action),
            required("symbol", AssetSymbol.CODEC, Fill::symbol),
            required("assetType", Codec.word(AssetType.class), Fill::assetType),
            required("quantity", Codec.DECIMAL, Fill::quantity),
            required("price", Usd.CODEC, Fill::price),
            required("amountUsd", Usd.CODEC, Fill::amountUsd),
            required("executedAt", Codec.INSTANT, Fill::executedAt));

    public Fill {
        quantity = Exact.normalised(quantity);
    }

    /** The same fill with another symbol for its asset. */
    public Fill of(AssetSymbol spelling) {
        return spelling.equals(symbol)
                ? this
                : new Fill(
                        custodian,
                        id,
                        clientOrderId,
                        action,
                        spelling,
                        assetType,
                        quantity,
                        price,
                        amountUsd,
                        executedAt);
    }

    /** The traded units as a position at their price. */
    public Position moved() {
        return new Position(symbol, assetType, quantity, price);
    }
}
