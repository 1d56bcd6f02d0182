package dev.agentpolicy.adapter.custodian;

import dev.agentpolicy.domain.trade.Action;
import java.math.BigDecimal;
import java.time.Instant;

/**
 * One execution of an order, or of a part of it.
 *
 * @param id unique in its account, and what a {@link FillCursor} goes by
 * @param orderId the broker's id of the order
 * @param symbol as the broker names it
 * @param instrument what was traded; told from the symbol alone, so prefer the one of the order
 * @param action the direction; a short sale is a sell
 * @param quantity the units of this fill, not of the order
 * @param price of one unit in dollars; of a pair that keeps its quote, such as {@code ETH/BTC}, in that
 * @param at by the broker's clock
 */
public record AlpacaFill(
        String id,
        String orderId,
        String symbol,
        Instrument instrument,
        Action action,
        BigDecimal quantity,
        BigDecimal price,
        Instant at) {}
