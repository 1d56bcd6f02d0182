package dev.agentpolicy.domain.usecase.owner;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.content.EventPayloads;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.portfolio.Position;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.Acceptance;
import dev.agentpolicy.domain.request.Order;
import dev.agentpolicy.domain.request.OrderResult;
import dev.agentpolicy.domain.request.OrderResult.Filled;
import dev.agentpolicy.domain.request.OrderResult.NotFilled;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Completed;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.usecase.SweepResult;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Executes accepted requests, each exactly once. The order has an id made from the request, so it can be sent again
 * after a crash: the custodian returns the first result, and only the first result changes the request.
 */
public final class FillRequest {
    /** Requests in one sweep; more than a node can have had unfilled when it crashed. */
    private static final int MAX_PER_SWEEP = 1_000;

    private final Accounts accounts;
    private final RequestQueue requests;
    private final Custodian custodian;
    private final InstantSource clock;

    public FillRequest(Accounts accounts, RequestQueue requests, Custodian custodian, InstantSource clock) {
        this.accounts = accounts;
        this.requests = requests;
        this.custodian = custodian;
        this.clock = clock;
    }

    /**
     * Sends the order of an accepted request and records the result. If the custodian cannot be reached, the request
     * stays accepted and {@link #sweep} sends the order again.
     */
    public CompletionStage<ServiceRequest> fill(Pending accepted) {
        return settled(accepted).exceptionally(away -> accepted);
    }

    private CompletionStage<ServiceRequest> settled(Pending accepted) {
        Acceptance acceptance = accepted.acceptance();
        if (acceptance == null) {
            return CompletableFuture.completedFuture(accepted);
        }
        Proposal proposal = accepted.proposal();
        return CompletableFuture.completedFuture(Order.of(proposal, acceptance))
                .thenCompose(custodian::place)
                .thenCompose(
                        settlement -> accounts.change(proposal.userId(), new Settle(proposal, acceptance, settlement)));
    }

    /**
     * Sends the orders of accepted requests that were not filled because of a crash or because the custodian could not
     * be reached. Can run on several nodes at once.
     *
     * @param olderThan minimum time since the acceptance, so that requests still being filled are left alone
     */
    public CompletionStage<SweepResult> sweep(Duration olderThan) {
        return SweepResult.each(
                requests.unfilled(clock.instant().minus(olderThan), MAX_PER_SWEEP),
                waiting -> requests.find(waiting.userId(), waiting.requestId())
                        .map(request -> request.fold(this::settled, FillRequest::unchanged, FillRequest::unchanged))
                        .orElseGet(() -> CompletableFuture.completedFuture(null)));
    }

    private static CompletionStage<ServiceRequest> unchanged(ServiceRequest resolved) {
        return CompletableFuture.completedFuture(resolved);
    }

    /** Records the result of an order, unless the request has changed since the order was sent. */
    private record Settle(Proposal proposal, Acceptance acceptance, OrderResult settlement)
            implements Change<ServiceRequest> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.of(proposal);
        }

        @Override
        public Outcome<ServiceRequest> apply(Account account) {
            ServiceRequest request = account.request(proposal.id()).orElseThrow();
            return request.fold(
                    pending -> acceptance.equals(pending.acceptance())
                            ? settle(account, pending)
                            : Outcome.nothing(pending),
                    Outcome::nothing,
                    Outcome::nothing);
        }

        private Outcome<ServiceRequest> settle(Account account, Pending pending) {
            return settlement.fold(
                    filled -> complete(account, pending, filled), refused -> notExecuted(pending, refused));
        }

        private Outcome<ServiceRequest> notExecuted(Pending pending, NotFilled refused) {
            Pending waiting = pending.notExecuted(refused.reason());
            return new Outcome.Recording().request(waiting).answer(receipts -> waiting);
        }

        private Outcome<ServiceRequest> complete(Account account, Pending pending, Filled filled) {
            Completed completed = pending.completed(filled.execution(), account.now());
            Trade trade = proposal.trade();
            EventDraft observed = EventPayloads.tradeObserved(
                    filled.execution(), trade.action(), trade.asset(), trade.assetType(), proposal.id());
            Position moved = filled.execution().moved(trade.asset(), trade.assetType());
            Portfolio after = ObservePortfolio.after(account, filled.holdings(), moved);
            return ObservePortfolio.recording(account, after, List.of(observed))
                    .request(completed)
                    .tally(proposal.agentKeyId(), counted(account))
                    .answer(receipts -> completed);
        }

        private Tally counted(Account account) {
            Usd amount = proposal.trade().amount();
            Tally released = account.tallyWithout(proposal);
            return proposal.trade().isBuy() ? released.plusCompletedBuy(amount) : released.plusCompletedSell(amount);
        }
    }
}
