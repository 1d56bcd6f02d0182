package dev.agentpolicy.domain.custodian;

import java.util.List;

/**
 * An order in the book of a paper custodian.
 *
 * @param order as it was placed
 * @param state where it stands
 * @param fills so far, the oldest first
 * @param revision of the book when the order last changed
 */
public record PaperOrder(Order order, OrderState state, List<Fill> fills, long revision) {
    public PaperOrder {
        fills = List.copyOf(fills);
    }
}
