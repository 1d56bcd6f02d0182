package dev.agentpolicy.app.custodian;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianReply;
import dev.agentpolicy.domain.custodian.CustodianReport;
import dev.agentpolicy.domain.custodian.Order;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.PaperSetup;
import dev.agentpolicy.domain.custodian.SyncQuery;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.PaperCustodians;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Passes calls to custodians, except while what they say could not be recorded. Then calls fail with {@link Unavailable},
 * since no custodian was asked and so nothing is known of one.
 *
 * @param custodian takes orders and is synced
 * @param papers sets up paper custodians
 * @param stop why calls are refused now; empty when they are passed on
 */
public record GuardedCustodian(Custodian custodian, PaperCustodians papers, Supplier<Optional<String>> stop)
        implements Custodian, PaperCustodians {

    @Override
    public CompletionStage<CustodianReply<OrderReport>> place(Order order) {
        return unlessStopped(() -> custodian.place(order));
    }

    @Override
    public CompletionStage<CustodianReply<OrderReport>> cancel(Order order) {
        return unlessStopped(() -> custodian.cancel(order));
    }

    @Override
    public CompletionStage<CustodianReply<CustodianReport>> sync(SyncQuery query) {
        return unlessStopped(() -> custodian.sync(query));
    }

    @Override
    public CompletionStage<Boolean> replace(UserId user, PaperSetup setup) {
        return unlessStopped(() -> papers.replace(user, setup));
    }

    @Override
    public CompletionStage<Boolean> delete(UserId user, String custodian) {
        return unlessStopped(() -> papers.delete(user, custodian));
    }

    private <T> CompletionStage<T> unlessStopped(Supplier<CompletionStage<T>> work) {
        return stop.get()
                .<CompletionStage<T>>map(reason -> CompletableFuture.failedFuture(new Unavailable(reason)))
                .orElseGet(work);
    }
}
