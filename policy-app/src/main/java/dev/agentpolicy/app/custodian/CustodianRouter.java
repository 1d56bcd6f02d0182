package dev.agentpolicy.app.custodian;

import dev.agentpolicy.domain.custodian.CustodianReply;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Passes each call to the custodian of its kind. */
public final class CustodianRouter implements Custodian {
    private final Map<CustodianKind, Custodian> custodians;

    /** @param custodians one for every kind */
    public CustodianRouter(Map<CustodianKind, Custodian> custodians) {
        this.custodians = new EnumMap<>(custodians);
        for (CustodianKind kind : CustodianKind.values()) {
            of(kind);
        }
    }

    @Override
    public CompletionStage<CustodianReply<OrderReport>> place(Order order) {
        return of(order.kind()).place(order);
    }

    @Override
    public CompletionStage<CustodianReply<OrderReport>> cancel(Order order) {
        return of(order.kind()).cancel(order);
    }

    @Override
    public CompletionStage<CustodianReply<CustodianReport>> sync(SyncQuery query) {
        return of(query.kind()).sync(query);
    }

    private Custodian of(CustodianKind kind) {
        Custodian custodian = custodians.get(kind);
        if (custodian == null) {
            throw new IllegalArgumentException("There is no custodian of kind " + kind.wireName() + ".");
        }
        return custodian;
    }
}
