package dev.agentpolicy.domain.usecase;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord;
import dev.agentpolicy.domain.event.content.DecisionRecord.Attestation;
import dev.agentpolicy.domain.event.content.DecisionRecord.Kind;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import java.util.List;
import java.util.function.Function;

/** The transitions that end a pending request without an order, shared by the use cases that make them. */
public final class RequestTransitions {

    private RequestTransitions() {}

    /** Rejects a request that has expired. Writes no event. */
    public static <R> Outcome<R> expire(Account account, Pending pending, Function<ServiceRequest, R> answer) {
        Proposal proposal = pending.proposal();
        Rejected expired = pending.rejected(Rejected.EXPIRED, account.now());
        return new Outcome.Recording()
                .request(expired)
                .tally(proposal.agentKeyId(), account.tallyWithout(proposal))
                .answer(receipts -> answer.apply(expired));
    }

    /**
     * Rejects a request and writes the event of the attestation.
     *
     * @param released the tally of the request's key without the request
     */
    public static void reject(Outcome.Recording recording, Rejected rejected, Tally released) {
        Proposal proposal = rejected.proposal();
        Decision none = new Decision(List.of(), null, null, rejected.at());
        CapUsage used = new CapUsage(0, Usd.ZERO, released.aum());
        recording
                .request(rejected)
                .tally(proposal.agentKeyId(), released)
                .event(DecisionPayload.draft(new DecisionRecord(
                        Kind.ATTESTATION,
                        null,
                        proposal.agentKeyId(),
                        proposal.trade(),
                        proposal.asset(),
                        proposal.rationale(),
                        null,
                        used,
                        none,
                        List.of(),
                        List.of(),
                        List.of(),
                        new Attestation(false, rejected.reason()),
                        proposal.id())));
    }
}
