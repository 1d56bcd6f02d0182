package dev.agentpolicy.alpaca;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentpolicy.alpaca.StandInMarket.Listing;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An order of the stand-in. Guarded by its account. */
final class StandInOrder {
    static final int DECIMALS = 9;
    private static final List<String> OPEN = List.of("pending_new", "accepted", "new", "partially_filled");

    final String id = UUID.randomUUID().toString();
    final String clientOrderId;
    final Listing listing;
    final boolean isBuy;
    final @Nullable BigDecimal notional;
    final @Nullable BigDecimal quantity;
    final String timeInForce;
    final Instant submittedAt;

    final @Nullable BigDecimal limit;

    private String status;
    private Instant updatedAt;
    private BigDecimal filled = BigDecimal.ZERO;
    private BigDecimal paid = BigDecimal.ZERO;

    /** What is sent to place an order, as far as it is understood. */
    record Ticket(
            String clientOrderId,
            Listing listing,
            boolean isBuy,
            @Nullable BigDecimal notional,
            @Nullable BigDecimal quantity,
            @Nullable BigDecimal limit,
            String timeInForce) {}

    StandInOrder(Ticket ticket, String status, Instant submittedAt) {
        this.clientOrderId = ticket.clientOrderId();
        this.listing = ticket.listing();
        this.isBuy = ticket.isBuy();
        this.notional = ticket.notional();
        this.quantity = ticket.quantity();
        this.limit = ticket.limit();
        this.timeInForce = ticket.timeInForce();
        this.status = status;
        this.submittedAt = submittedAt;
        this.updatedAt = submittedAt;
    }

    boolean isOpen() {
        return OPEN.contains(status);
    }

    String status() {
        return status;
    }

    BigDecimal filled() {
        return filled;
    }

    /** Whether a price is not beyond its limit. */
    boolean isMarketable(BigDecimal price) {
        return limit == null || (isBuy ? price.compareTo(limit) <= 0 : price.compareTo(limit) >= 0);
    }

    /** The units that it is for, at a price. */
    BigDecimal units(BigDecimal price) {
        return notional == null ? wanted() : notional.divide(price, DECIMALS, RoundingMode.DOWN);
    }

    private BigDecimal wanted() {
        if (quantity == null) {
            throw new IllegalStateException("An order has an amount or a quantity.");
        }
        return quantity;
    }

    /** The dollars that a buy still holds back. */
    BigDecimal heldCash() {
        if (!isBuy || !isOpen()) {
            return BigDecimal.ZERO;
        }
        BigDecimal all = notional == null
                ? wanted().subtract(filled).multiply(limit == null ? listing.price() : limit)
                : notional.subtract(paid);
        return all.max(BigDecimal.ZERO);
    }

    /** The units that a sell still holds back. */
    BigDecimal heldUnits() {
        return isBuy || !isOpen()
                ? BigDecimal.ZERO
                : units(listing.price()).subtract(filled).max(BigDecimal.ZERO);
    }

    void fill(BigDecimal units, BigDecimal price, boolean isLast, Instant at) {
        filled = filled.add(units);
        paid = paid.add(units.multiply(price));
        end(isLast ? "filled" : "partially_filled", at);
    }

    void end(String next, Instant at) {
        status = next;
        updatedAt = at;
    }

    ObjectNode asJson() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("id", id);
        node.put("client_order_id", clientOrderId);
        node.put("created_at", submittedAt.toString());
        node.put("updated_at", updatedAt.toString());
        node.put("submitted_at", submittedAt.toString());
        node.put("filled_at", timeOf("filled"));
        node.put("expired_at", timeOf("expired"));
        node.put("canceled_at", timeOf("canceled"));
        node.put("failed_at", timeOf("rejected"));
        node.putNull("replaced_at");
        node.putNull("replaced_by");
        node.putNull("replaces");
        node.put("asset_id", listing.id());
        node.put("symbol", listing.symbol());
        node.put("asset_class", listing.assetClass());
        node.put("notional", plain(notional));
        node.put("qty", plain(quantity));
        node.put("filled_qty", plain(filled));
        node.put(
                "filled_avg_price",
                filled.signum() == 0 ? null : plain(paid.divide(filled, DECIMALS, RoundingMode.HALF_UP)));
        node.put("order_class", "");
        node.put("order_type", limit == null ? "market" : "limit");
        node.put("type", limit == null ? "market" : "limit");
        node.put("side", isBuy ? "buy" : "sell");
        node.put("time_in_force", timeInForce);
        node.put("limit_price", plain(limit));
        node.putNull("stop_price");
        node.put("status", status);
        node.put("extended_hours", false);
        node.putNull("legs");
        node.putNull("trail_percent");
        node.putNull("trail_price");
        node.putNull("hwm");
        return node;
    }

    private @Nullable String timeOf(String end) {
        return status.equals(end) ? updatedAt.toString() : null;
    }

    static @Nullable String plain(@Nullable BigDecimal number) {
        return number == null
                ? null
                : number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
    }
}
