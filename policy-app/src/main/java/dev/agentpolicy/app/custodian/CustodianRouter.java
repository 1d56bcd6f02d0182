package dev.agentpolicy.app.custodian;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.custodian.ReferencePrice;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.PaperCustodians;
import dev.agentpolicy.domain.portfolio.CustodianHoldings.CustodianKind;
import dev.agentpolicy.domain.quantity.Fraction;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Passes each call to the custodian of its kind, except while what it says could not be recorded. Then calls fail with
 * {@link Unavailable}, since no custodian was asked and so nothing is known of one.
 */
public final class CustodianRouter implements Custodian, PaperCustodians {
    private final Map<CustodianKind, Custodian> custodians;
    private final PaperCustodians papers;
    private final Supplier<Optional<String>> stop;

    /**
     * @param custodians one for every kind
     * @param papers sets up paper custodians
     * @param stop why calls are refused now; empty when they are passed on
     */
    public CustodianRouter(
            Map<CustodianKind, Custodian> custodians, PaperCustodians papers, Supplier<Optional<String>> stop) {
        this.custodians = new EnumMap<>(custodians);
        this.papers = papers;
        this.stop = stop;
        for (CustodianKind kind : CustodianKind.values()) {
            if (!custodians.containsKey(kind)) {
                throw new IllegalArgumentException("There is no custodian of kind " + kind.wireName() + ".");
            }
        }
    }

    @Override
    public ReferencePrice price(Order wanted, Fraction slippage) {
        return of(wanted.kind()).price(wanted, slippage);
    }

    @Override
    public OrderReport place(Order order) {
        return of(order.kind()).place(order);
    }

    @Override
    public OrderReport cancel(Order order) {
        return of(order.kind()).cancel(order);
    }

    @Override
    public CustodianReport sync(SyncQuery query) {
        return of(query.kind()).sync(query);
    }

    @Override
    public void replace(UserId user, PaperSetup setup) {
        requireNotStopped();
        papers.replace(user, setup);
    }

    @Override
    public boolean delete(UserId user, String custodian) {
        requireNotStopped();
        return papers.delete(user, custodian);
    }

    private Custodian of(CustodianKind kind) {
        requireNotStopped();
        return Objects.requireNonNull(custodians.get(kind));
    }

    private void requireNotStopped() {
        stop.get().ifPresent(reason -> {
            throw new Unavailable(reason);
        });
    }
}
