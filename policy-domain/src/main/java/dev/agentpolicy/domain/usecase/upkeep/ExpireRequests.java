package dev.agentpolicy.domain.usecase.upkeep;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.usecase.FanOut;
import dev.agentpolicy.domain.usecase.RequestTransitions;
import dev.agentpolicy.domain.usecase.SweepResult;
import java.time.InstantSource;

/** Rejects requests that have expired. Can run on several nodes at once. Blocks. */
public record ExpireRequests(Accounts accounts, RequestQueue requests, FanOut threads, InstantSource clock) {
    private static final int MAX_PER_SWEEP = 100;

    /** Rejects at most {@value #MAX_PER_SWEEP} expired requests; there may be more. */
    public SweepResult sweep() {
        return SweepResult.each(
                requests.expired(clock.instant(), MAX_PER_SWEEP),
                requests,
                threads,
                request -> accounts.changeAndWait(request.proposal().userId(), new Expire(request.proposal())));
    }

    private record Expire(Proposal proposal) implements Change<Boolean> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.of(proposal);
        }

        @Override
        public Outcome<Boolean> apply(Account account) {
            return account.request(proposal.id()).orElse(null) instanceof Pending pending
                            && pending.isExpired(account.now())
                    ? RequestTransitions.expire(account, pending, expired -> true)
                    : Outcome.nothing(false);
        }
    }
}
