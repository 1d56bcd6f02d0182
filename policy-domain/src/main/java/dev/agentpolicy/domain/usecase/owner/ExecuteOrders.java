package dev.agentpolicy.domain.usecase.owner;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.custodian.CustodianReply;
import dev.agentpolicy.domain.custodian.OrderReport;
import dev.agentpolicy.domain.custodian.OrderState;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.Custodian;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.portfolio.OpenOrder;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.SweepResult;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Places the orders of accepted requests, each exactly once, and takes them back. An order has an id made from the
 * request and its acceptance, so it can be placed again after a crash. What becomes of it is told by syncs of its
 * custodian.
 */
public final class ExecuteOrders {
    /** Requests in one sweep; more than a node can have had under way when it crashed. */
    private static final int MAX_PER_SWEEP = 1_000;
    /** After this time no copy of an order can still be on its way to its custodian. */
    private static final Duration LATE_ARRIVAL = Duration.ofMinutes(2);
    /**
     * A node that was held up for longer since an acceptance leaves its order to the sweep, which reads the request anew.
     */
    private static final Duration MAX_DELAY = Duration.ofMinutes(1);

    private final Accounts accounts;
    private final RequestQueue requests;
    private final Custodian custodian;
    private final SyncCustodian sync;
    private final InstantSource clock;

    public ExecuteOrders(
            Accounts accounts, RequestQueue requests, Custodian custodian, SyncCustodian sync, InstantSource clock) {
        this.accounts = accounts;
        this.requests = requests;
        this.custodian = custodian;
        this.sync = sync;
        this.clock = clock;
    }

    /**
     * Places the order of an accepted request and records what is known of it. The answer is the request after that. If
     * the custodian is away, the request stays accepted and {@link #sweep} places the order again.
     */
    public CompletionStage<ServiceRequest> execute(Pending accepted) {
        OrderAttempt attempt = accepted.order();
        if (attempt == null || clock.instant().isAfter(attempt.acceptedAt().plus(MAX_DELAY))) {
            return CompletableFuture.completedFuture(accepted);
        }
        // The acceptance is durable by now, so not even a bug of the custodian may make it look as if it had failed.
        return CompletableFuture.completedFuture(accepted)
                .thenCompose(this::placed)
                .thenCompose(done -> read(accepted))
                .exceptionally(failed -> accepted);
    }

    /** The request as it is now. */
    private CompletionStage<ServiceRequest> read(Pending before) {
        return accounts.change(before.proposal().userId(), new ReadRequest(before));
    }

    private CompletionStage<?> placed(Pending accepted) {
        OrderAttempt attempt = accepted.order();
        if (attempt == null) {
            return CompletableFuture.completedFuture(accepted);
        }
        return custodian
                .place(attempt.order(accepted.proposal()))
                .thenCompose(reply -> after(accepted.proposal(), attempt, reply));
    }

    private CompletionStage<?> after(Proposal proposal, OrderAttempt attempt, CustodianReply<OrderReport> reply) {
        return reply.<CompletionStage<?>>fold(
                report -> sync.sync(proposal.userId(), attempt.custodian()),
                refused -> accounts.change(
                        proposal.userId(),
                        new EndUnplaced(proposal, attempt, new OrderState.Rejected(refused.reason()))),
                CompletableFuture::completedFuture);
    }

    /**
     * Asks the custodian to cancel the order of an accepted request. The answer is the request as far as it is known
     * then; its order may be under way for a while, and may still be filled.
     */
    public CompletionStage<Answer<ServiceRequest>> cancel(UserId user, long id) {
        Optional<ServiceRequest> known = requests.find(user, id);
        if (known.isEmpty()) {
            return CompletableFuture.completedFuture(
                    Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, "There is no request with this id.")));
        }
        return accounts.change(user, new TakeBack(known.get().proposal()))
                .thenCompose(answer -> answer.fold(
                        pending -> takenBack(pending)
                                .thenCompose(done -> read(pending))
                                .exceptionally(failed -> pending)
                                .thenApply(Answer::given),
                        refusal -> CompletableFuture.completedFuture(Answer.refused(refusal))));
    }

    private CompletionStage<?> takenBack(Pending pending) {
        OrderAttempt attempt = pending.order();
        if (attempt == null) {
            return CompletableFuture.completedFuture(pending);
        }
        Proposal proposal = pending.proposal();
        Instant askedAt = clock.instant();
        return custodian
                .cancel(attempt.order(proposal))
                .thenCompose(reply -> reply.<CompletionStage<?>>fold(
                        report -> sync.sync(proposal.userId(), attempt.custodian()),
                        unknown -> neverPlaced(proposal, attempt, askedAt),
                        CompletableFuture::completedFuture));
    }

    /**
     * The order was not at its custodian when it was asked for. A copy that was sent before the user took it back may
     * still have been on its way then, so this is not believed at once.
     */
    private CompletionStage<?> neverPlaced(Proposal proposal, OrderAttempt attempt, Instant askedAt) {
        Instant takenBackAt = attempt.cancelRequestedAt();
        return takenBackAt == null || askedAt.isBefore(takenBackAt.plus(LATE_ARRIVAL))
                ? CompletableFuture.completedFuture(attempt)
                : accounts.change(proposal.userId(), new EndUnplaced(proposal, attempt, new OrderState.Cancelled()));
    }

    /**
     * Places orders again that no custodian has confirmed, because of a crash or because the custodian was away. Can run
     * on several nodes at once.
     *
     * @param olderThan minimum time since the acceptance, so that requests still being executed are left alone
     */
    public CompletionStage<SweepResult> sweep(Duration olderThan) {
        return SweepResult.each(
                requests.unconfirmed(clock.instant().minus(olderThan), MAX_PER_SWEEP),
                waiting -> requests.find(waiting.userId(), waiting.requestId())
                        .<CompletionStage<?>>map(request ->
                                request.fold(this::again, ExecuteOrders::unchanged, ExecuteOrders::unchanged))
                        .orElseGet(() -> CompletableFuture.completedFuture(null)));
    }

    private CompletionStage<?> again(Pending pending) {
        OrderAttempt attempt = pending.order();
        return attempt != null && attempt.isCancelRequested() ? takenBack(pending) : placed(pending);
    }

    private static CompletionStage<?> unchanged(ServiceRequest resolved) {
        return CompletableFuture.completedFuture(resolved);
    }

    /** The portfolio without the open order of an attempt. */
    private static Portfolio withoutOrder(Account account, Portfolio portfolio, OrderAttempt attempt) {
        List<OpenOrder> rest = portfolio.custodian(attempt.custodian()).stream()
                .flatMap(holdings -> holdings.openOrders().stream())
                .filter(order -> !order.clientOrderId().equals(attempt.clientOrderId()))
                .toList();
        return portfolio.withOpenOrders(attempt.custodian(), rest, account.now());
    }

    private record ReadRequest(Pending before) implements Change<ServiceRequest> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.request(before.id());
        }

        @Override
        public Outcome<ServiceRequest> apply(Account account) {
            return Outcome.nothing(account.request(before.id()).orElse(before));
        }
    }

    /** Ends an order that is not at its custodian and never will be, unless the request has changed since. */
    private record EndUnplaced(Proposal proposal, OrderAttempt attempt, OrderState end)
            implements Change<ServiceRequest> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.of(proposal);
        }

        @Override
        public Outcome<ServiceRequest> apply(Account account) {
            ServiceRequest request = account.request(proposal.id()).orElseThrow();
            return request.fold(
                    pending -> isSame(pending) ? end(account, pending) : Outcome.nothing(pending),
                    Outcome::nothing,
                    Outcome::nothing);
        }

        private boolean isSame(Pending pending) {
            OrderAttempt now = pending.order();
            return now != null
                    && now.clientOrderId().equals(attempt.clientOrderId())
                    && now.isUnconfirmed()
                    && !now.isFilled();
        }

        private Outcome<ServiceRequest> end(Account account, Pending pending) {
            ServiceRequest after = pending.ended(end, account.now());
            Portfolio portfolio = account.portfolio();
            Outcome.Recording recording = portfolio == null
                    ? new Outcome.Recording()
                    : ObservePortfolio.recording(account, withoutOrder(account, portfolio, attempt), List.of());
            boolean isOver = after.fold(it -> false, done -> true, no -> true);
            if (isOver) {
                recording.tally(proposal.agentKeyId(), account.tallyWithout(proposal));
            }
            return recording.request(after).answer(receipts -> after);
        }
    }

    /** Notes that the user wants an order back. */
    private record TakeBack(Proposal proposal) implements Change<Answer<Pending>> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.of(proposal);
        }

        @Override
        public Outcome<Answer<Pending>> apply(Account account) {
            ServiceRequest request = account.request(proposal.id()).orElseThrow();
            return request.fold(pending -> takeBack(pending, account.now()), TakeBack::resolved, TakeBack::resolved);
        }

        private Outcome<Answer<Pending>> takeBack(Pending pending, Instant now) {
            if (!pending.isAccepted()) {
                String message = "This request was not accepted, so there is no order to cancel; reject it instead.";
                return Outcome.nothing(Answer.refused(Refusal.notAccepted(message, pending)));
            }
            Pending after = pending.cancelRequested(now);
            return after.equals(pending)
                    ? Outcome.nothing(Answer.given(pending))
                    : new Outcome.Recording().request(after).answer(receipts -> Answer.given(after));
        }

        private static Outcome<Answer<Pending>> resolved(ServiceRequest request) {
            String message = "This request is already " + request.status().wireName() + ".";
            return Outcome.nothing(Answer.refused(Refusal.resolved(message, request)));
        }
    }
}
