package dev.agentpolicy.domain.usecase.upkeep;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.usecase.RequestTransitions;
import dev.agentpolicy.domain.usecase.SweepResult;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Rejects requests that have expired. Can run on several nodes at once. */
public final class ExpireRequests {
    private static final int MAX_PER_SWEEP = 100;

    private final Accounts accounts;
    private final RequestQueue requests;
    private final InstantSource clock;

    public ExpireRequests(Accounts accounts, RequestQueue requests, InstantSource clock) {
        this.accounts = accounts;
        this.requests = requests;
        this.clock = clock;
    }

    /** Rejects at most {@value #MAX_PER_SWEEP} expired requests; there may be more. */
    public CompletionStage<SweepResult> sweep() {
        return SweepResult.each(
                requests.expired(clock.instant(), MAX_PER_SWEEP),
                waiting -> requests.find(waiting.userId(), waiting.requestId())
                        .map(request -> accounts.change(waiting.userId(), new Expire(request.proposal())))
                        .orElseGet(() -> CompletableFuture.completedFuture(false)));
    }

    private record Expire(Proposal proposal) implements Change<Boolean> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.of(proposal);
        }

        @Override
        public Outcome<Boolean> apply(Account account) {
            return account.request(proposal.id())
                    .map(request -> request.fold(
                            pending -> pending.isExpired(account.now())
                                    ? RequestTransitions.expire(account, pending, expired -> true)
                                    : Outcome.nothing(false),
                            completed -> Outcome.nothing(false),
                            rejected -> Outcome.nothing(false)))
                    .orElseGet(() -> Outcome.nothing(false));
        }
    }
}
