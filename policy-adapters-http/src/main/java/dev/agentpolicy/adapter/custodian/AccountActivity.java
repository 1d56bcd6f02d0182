package dev.agentpolicy.adapter.custodian;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What changes an account: orders and fills. When two readings are equal, cash and positions that were read between them
 * belong to both.
 *
 * @param open all orders that are not over, whoever placed them
 * @param ours the orders that were asked for, by client order id; without those that the broker does not know
 * @param fills the oldest first
 * @param isComplete whether there are no later fills
 */
record AccountActivity(
        List<AlpacaOrder> open, Map<String, AlpacaOrder> ours, List<AlpacaFill> fills, boolean isComplete) {
    /** After this time, fills that are missing will not come any more. */
    private static final Duration LATEST_FILL = Duration.ofMinutes(15);
    /** The finest step of quantities; what an order says is filled may differ from its fills by that. */
    private static final BigDecimal QUANTITY_STEP = new BigDecimal("0.000000001");

    AccountActivity {
        open = List.copyOf(open);
        ours = Map.copyOf(ours);
        fills = List.copyOf(fills);
    }

    /** The time of the latest fill; empty without one. */
    Optional<Instant> latestFill() {
        return fills.stream().map(AlpacaFill::at).max(Comparator.naturalOrder());
    }

    /** The open orders of others. */
    List<AlpacaOrder> openOfOthers() {
        return open.stream()
                .filter(order -> !ours.containsKey(order.clientOrderId()))
                .toList();
    }

    /**
     * An order of ours of which the fills do not add up to its filled quantity, because the broker lists a fill later
     * than the order, the cash and the positions show it.
     *
     * @param earlier fills before these
     */
    Optional<AlpacaOrder> withMissingFills(List<AlpacaFill> earlier, Instant now) {
        return ours.values().stream()
                .filter(order -> order.updatedAt().plus(LATEST_FILL).isAfter(now))
                .filter(order -> order.filledQuantity()
                                .subtract(listed(order, earlier))
                                .abs()
                                .compareTo(QUANTITY_STEP)
                        > 0)
                .findFirst();
    }

    private BigDecimal listed(AlpacaOrder order, List<AlpacaFill> earlier) {
        BigDecimal sum = BigDecimal.ZERO;
        for (List<AlpacaFill> some : List.of(earlier, fills)) {
            for (AlpacaFill fill : some) {
                sum = fill.orderId().equals(order.id()) ? sum.add(fill.quantity()) : sum;
            }
        }
        return sum;
    }
}
