package dev.agentpolicy.domain.custodian;

import static dev.agentpolicy.domain.document.Schema.inline;
import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
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
    /** The members of a stored order of a paper custodian. */
    public static final Schema<PaperOrder> STORED = Schema.of(
            row -> new PaperOrder(row.next(), OrderState.of(row.next(), row.nextOr("")), row.next(), row.next()),
            inline(Order.STORED, PaperOrder::order),
            required("state", Codec.TEXT, it -> it.state.wireName()),
            nullable("stateReason", Codec.TEXT, it -> it.state.reason()),
            required("fills", Codec.list(Fill.STORED), PaperOrder::fills),
            required("revision", Codec.LONG, PaperOrder::revision));

    public PaperOrder {
        fills = List.copyOf(fills);
    }
}
