package dev.agentpolicy.domain.custodian;

import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.optional;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.trade.Action;
import dev.agentpolicy.domain.trade.AssetSymbol;
import dev.agentpolicy.domain.trade.AssetType;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * An order to a custodian. It is sent only with a bound or an agreed price; without, it names an order that is to be
 * priced, followed or cancelled.
 *
 * @param clientOrderId identifies the order; a custodian takes it once, however often it is sent
 * @param userId the user whose holdings change
 * @param custodian id of the custodian
 * @param kind the kind of custodian
 * @param action buy or sell
 * @param symbol the asset
 * @param assetType the sleeve of the asset
 * @param amount notional in USD; null when a quantity is given
 * @param quantity units; null when an amount is given
 * @param price price of one unit that was agreed elsewhere; null for the custodian's price
 * @param limit the most a unit may cost, or the least it may bring; null for an order without a bound
 */
public record Order(
        String clientOrderId,
        UserId userId,
        String custodian,
        CustodianKind kind,
        Action action,
        AssetSymbol symbol,
        AssetType assetType,
        @Nullable Usd amount,
        @Nullable BigDecimal quantity,
        @Nullable Usd price,
        @Nullable Usd limit) {

    /** The members of a stored order. */
    static final Schema<Order> STORED = Schema.of(
            row -> new Order(
                    row.next(),
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
            required("clientOrderId", Codec.TEXT, Order::clientOrderId),
            required("userId", Codec.ID.as(UserId::new, UserId::value), Order::userId),
            required("custodian", Codec.TEXT, Order::custodian),
            required("kind", Codec.word(CustodianKind.class), Order::kind),
            required("action", Codec.word(Action.class), Order::action),
            required("symbol", AssetSymbol.CODEC, Order::symbol),
            required("assetType", Codec.word(AssetType.class), Order::assetType),
            nullable("amount", Usd.CODEC, Order::amount),
            nullable("quantity", Codec.DECIMAL, Order::quantity),
            nullable("price", Usd.CODEC, Order::price),
            optional("limit", Usd.CODEC, Order::limit));

    public Order {
        if ((amount == null) == (quantity == null)) {
            throw new IllegalArgumentException("An order must have either an amount or a quantity.");
        }
    }

    /** Whether it may be sent: a price bounds what it does. */
    public boolean isBounded() {
        return price != null || limit != null;
    }

    /** Whether a price is within the bound. */
    boolean allows(Usd offered) {
        return limit == null || (action == Action.BUY ? !offered.isAbove(limit) : !offered.isBelow(limit));
    }
}
