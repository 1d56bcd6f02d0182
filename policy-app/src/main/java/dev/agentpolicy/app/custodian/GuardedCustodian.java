package dev.agentpolicy.app.custodian;

import dev.agentpolicy.domain.account.Unavailable;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Passes orders to another custodian, except while their execution could not be recorded.
 *
 * @param custodian executes the orders
 * @param stop why orders are refused now; empty when they are passed on
 */
public record GuardedCustodian(Custodian custodian, Supplier<Optional<String>> stop) implements Custodian {

    @Override
    public CompletionStage<OrderResult> place(Order order) {
        return unlessStopped(() -> custodian.place(order));
    }

    @Override
    public CompletionStage<CustodianHoldings> replace(UserId user, CustodianHoldings holdings) {
        return unlessStopped(() -> custodian.replace(user, holdings));
    }

    private <T> CompletionStage<T> unlessStopped(Supplier<CompletionStage<T>> work) {
        return stop.get()
                .<CompletionStage<T>>map(reason -> CompletableFuture.failedFuture(new Unavailable(reason)))
                .orElseGet(work);
    }
}
