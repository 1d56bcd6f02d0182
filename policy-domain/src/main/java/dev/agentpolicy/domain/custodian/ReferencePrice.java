package dev.agentpolicy.domain.custodian;

import dev.agentpolicy.domain.quantity.Usd;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What an asset costs at a custodian now, and the steps of its orders.
 *
 * @param price of one unit: the ask for a buy, the bid for a sell, the last trade where there is no usable quote, or the list
 *     price; above 0
 * @param at the time of that price, by the custodian's clock
 * @param priceStep of limit prices; null for that of US shares
 * @param quantityStep of quantities; null for a custodian that takes amounts
 * @param free the units that are held and that no open order holds; null for a buy, and where the custodian takes amounts
 */
public record ReferencePrice(
        Usd price,
        Instant at,
        @Nullable BigDecimal priceStep,
        @Nullable BigDecimal quantityStep,
        @Nullable BigDecimal free) {}
