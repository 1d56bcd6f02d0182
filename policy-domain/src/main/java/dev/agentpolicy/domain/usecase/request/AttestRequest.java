package dev.agentpolicy.domain.usecase.request;

import dev.agentpolicy.domain.account.Account;
import dev.agentpolicy.domain.account.Change;
import dev.agentpolicy.domain.account.LoadSpec;
import dev.agentpolicy.domain.account.Outcome;
import dev.agentpolicy.domain.agent.AgentKey;
import dev.agentpolicy.domain.agent.AgentKeyId;
import dev.agentpolicy.domain.agent.CapUsage;
import dev.agentpolicy.domain.agent.KeyPolicy;
import dev.agentpolicy.domain.agent.Tally;
import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Decision;
import dev.agentpolicy.domain.event.chain.EventDraft;
import dev.agentpolicy.domain.event.content.DecisionPayload;
import dev.agentpolicy.domain.event.content.DecisionRecord.Attestation;
import dev.agentpolicy.domain.event.passkey.AttestedRequest;
import dev.agentpolicy.domain.event.passkey.AttestedRequest.SignedAcceptance;
import dev.agentpolicy.domain.event.passkey.OwnerPasskeys;
import dev.agentpolicy.domain.event.passkey.RelyingParty;
import dev.agentpolicy.domain.event.passkey.SentAssertion;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.Accounts;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.port.signin.PasskeyChallenges.Purpose;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.quantity.Usd;
import dev.agentpolicy.domain.request.CustodianRouting;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.request.ServiceRequest.Rejected;
import dev.agentpolicy.domain.usecase.AccountState;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.DriftDetector;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.RequestReview.Shown;
import dev.agentpolicy.domain.usecase.RequestTransitions;
import dev.agentpolicy.domain.usecase.TradeCheck;
import dev.agentpolicy.domain.usecase.TradeCheck.CheckedTrade;
import dev.agentpolicy.domain.usecase.WaitingRequests;
import dev.agentpolicy.domain.usecase.custodian.ExecuteOrders;
import dev.agentpolicy.domain.usecase.signin.PasskeyProofs;
import dev.agentpolicy.domain.usecase.signin.PasskeyProofs.TakenAssertion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Accepts or rejects a request for its user (specification, States and transitions; docs/reference/app-api.md). Methods
 * block; an acceptance also waits for the custodian.
 */
public record AttestRequest(Accounts accounts, RequestQueue requests, ExecuteOrders orders, PasskeyProofs proofs) {
    private static final String CHANGED =
            "Your policy or your holdings changed since the request was shown; look at it again.";

    /** Accepts a request whatever was shown. */
    public Answer<ServiceRequest> accept(UserId user, long id) {
        return accept(user, id, null);
    }

    /** Accepts a request without a passkey. */
    public Answer<ServiceRequest> accept(UserId user, long id, @Nullable Shown shown) {
        return accepted(user, id, shown, null);
    }

    /**
     * Accepts a request with the signature of a passkey, which is recorded with the acceptance.
     *
     * @param shown what the user was shown; null when the caller does not say
     * @param party the console
     */
    public Answer<ServiceRequest> accept(
            UserId user, long id, @Nullable Shown shown, SentAssertion passkey, RelyingParty party) {
        if (requests.find(user, id).isEmpty()) {
            return Answer.refused(unknown());
        }
        Answer<TakenAssertion> taken = proofs.taken(user, Purpose.ACCEPTANCE, passkey, party);
        Refusal refusal = taken.refusal();
        // A call that is repeated learns what became of the request.
        return refusal == null
                ? accepted(user, id, shown, taken.value())
                : attest(user, id, (account, pending) -> Outcome.nothing(Answer.refused(refusal)));
    }

    /**
     * Accepts a request: checks the trade against the current policy, portfolio and caps, then has it executed. The
     * answer is the request after that: completed, or pending with the reason why it was not executed.
     *
     * @param shown what the user was shown; refused as changed when it is no longer in force, and when the trade is
     *     blocked by now and may have been shown as allowed; null when the caller does not say
     * @param taken the signature of a passkey; null for none
     */
    private Answer<ServiceRequest> accepted(
            UserId user, long id, @Nullable Shown shown, @Nullable TakenAssertion taken) {
        return attest(user, id, (account, pending) -> accepted(account, pending, shown, taken))
                .map(request ->
                        request instanceof Pending pending && pending.isAccepted() ? orders.execute(pending) : request);
    }

    /** Maximum number of requests that are accepted together. */
    public static final int MAX_TOGETHER = 50;

    /**
     * Accepts several requests or none, in the order given, each checked as if those before it were filled, in one change;
     * then has them executed one by one. The refusal of the first that does not fit names it.
     *
     * @param ids 1 to {@value #MAX_TOGETHER}, all different
     * @param shown what the user was shown
     */
    public Answer<List<ServiceRequest>> acceptTogether(UserId user, List<Long> ids, Shown shown) {
        return proposals(user, ids).then(proposals -> together(user, proposals, shown, null));
    }

    /** As above, with the signature of a passkey over the whole list, which is recorded with each acceptance. */
    public Answer<List<ServiceRequest>> acceptTogether(
            UserId user, List<Long> ids, Shown shown, SentAssertion passkey, RelyingParty party) {
        return proposals(user, ids)
                .then(proposals -> proofs.taken(user, Purpose.ACCEPTANCE, passkey, party)
                        .then(taken -> together(user, proposals, shown, taken)));
    }

    private Answer<List<Proposal>> proposals(UserId user, List<Long> ids) {
        List<Proposal> proposals = new ArrayList<>();
        for (Long id : ids) {
            Optional<ServiceRequest> known = requests.find(user, id);
            if (known.isEmpty()) {
                return Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, "There is no request " + id + "."));
            }
            proposals.add(known.get().proposal());
        }
        return Answer.given(proposals);
    }

    private Answer<List<ServiceRequest>> together(
            UserId user, List<Proposal> proposals, Shown shown, @Nullable TakenAssertion taken) {
        return accounts.changeAndWait(user, new AcceptTogether(proposals, shown, taken, proofs))
                .map(accepted -> accepted.stream().map(orders::execute).toList());
    }

    /** Accepts every proposal of a list, or none. */
    private record AcceptTogether(
            List<Proposal> proposals, Shown shown, @Nullable TakenAssertion taken, PasskeyProofs proofs)
            implements Change<Answer<List<Pending>>> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.ofAnswers(proposals);
        }

        @Override
        public Outcome<Answer<List<Pending>>> apply(Account account) {
            List<Pending> waiting = new ArrayList<>();
            for (Proposal proposal : proposals) {
                ServiceRequest request = account.request(proposal.id()).orElse(null);
                if (!(request instanceof Pending pending) || pending.isAccepted() || pending.isExpired(account.now())) {
                    return Outcome.nothing(Answer.refused(request == null ? unknown() : notWaiting(request)));
                }
                waiting.add(pending);
            }
            if (!shown.equals(inForce(account))) {
                return Outcome.nothing(Answer.refused(Refusal.of(Refusal.Code.CHANGED, CHANGED)));
            }
            return signature(account, waiting, taken, proofs)
                    .fold(
                            signature -> accepted(account, waiting, signature),
                            refusal -> Outcome.nothing(Answer.refused(refusal)));
        }

        private static Outcome<Answer<List<Pending>>> accepted(
                Account account, List<Pending> waiting, Signature signature) {
            Outcome.Recording recording = new Outcome.Recording();
            List<Pending> accepted = new ArrayList<>();
            Account filled = account;
            for (Pending pending : waiting) {
                Acceptance next = Acceptance.of(filled, pending, signature);
                Pending after = next.after();
                String problem = next.isAllowed()
                        ? after.executionError()
                        : next.decision().reason();
                if (problem != null) {
                    String message = "Nothing was accepted: request " + pending.id() + " does not fit. " + problem;
                    return Outcome.nothing(Answer.refused(
                            Refusal.blocked(message, next.decision().violations(), pending)));
                }
                recording.event(next.event());
                recording.request(after);
                accepted.add(after);
                filled = next.filled(filled);
            }
            signature.record(recording);
            recordPortfolio(account, filled.portfolio(), recording);
            return recording.answer(receipts -> Answer.given(accepted));
        }
    }

    private static Refusal notWaiting(ServiceRequest request) {
        return Refusal.resolved("Request " + request.id() + " does not wait for an answer any more.", request);
    }

    /** Rejects a request, with the user's reason or none. */
    public Answer<ServiceRequest> reject(UserId user, long id, @Nullable String reason) {
        return attest(user, id, (account, pending) -> rejected(account, pending, reason));
    }

    /**
     * Which waiting requests are rejected together. Members narrow each other.
     *
     * @param ids null for any
     * @param agentKeyId the key that proposed them; null for any
     * @param reason the user's reason; null for none
     */
    public record Selection(
            @Nullable Set<Long> ids,
            @Nullable AgentKeyId agentKeyId,
            @Nullable String reason) {
        /** Maximum number of ids. */
        public static final int MAX_IDS = 1000;

        private boolean has(Proposal proposal) {
            return (ids == null || ids.contains(proposal.id()))
                    && (agentKeyId == null || agentKeyId.equals(proposal.agentKeyId()));
        }
    }

    /** Rejects every request of a selection that still waits for the user, in one change for each key; returns how many. */
    public int rejectMany(UserId user, Selection selection) {
        int rejected = 0;
        for (AgentKeyId key : waitingKeys(user, selection)) {
            rejected += accounts.changeAndWait(user, new RejectWaiting(key, selection));
        }
        return rejected;
    }

    private Set<AgentKeyId> waitingKeys(UserId user, Selection selection) {
        Set<AgentKeyId> keys = new LinkedHashSet<>();
        for (Pending request : WaitingRequests.of(requests, user, Integer.MAX_VALUE)) {
            if (selection.has(request.proposal())) {
                keys.add(request.proposal().agentKeyId());
            }
        }
        return keys;
    }

    /** Rejects the requests of one key that are selected and wait for the user. */
    private record RejectWaiting(AgentKeyId key, Selection selection) implements Change<Integer> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.pendingOf(key);
        }

        @Override
        public Outcome<Integer> apply(Account account) {
            Outcome.Recording recording = new Outcome.Recording();
            Tally tally = account.tallies().getOrDefault(key, Tally.NONE);
            int rejected = 0;
            for (Pending waiting : account.waitingRequests(key)) {
                if (selection.has(waiting.proposal()) && !waiting.isExpired(account.now())) {
                    tally = tally.minusPending(waiting.proposal().trade());
                    RequestTransitions.reject(recording, waiting.rejected(selection.reason(), account.now()), tally);
                    rejected++;
                }
            }
            int count = rejected;
            return recording.answer(receipts -> count);
        }
    }

    private Answer<ServiceRequest> attest(
            UserId user, long id, BiFunction<Account, Pending, Outcome<Answer<ServiceRequest>>> work) {
        Optional<ServiceRequest> known = requests.find(user, id);
        return known.isEmpty()
                ? Answer.refused(unknown())
                : accounts.changeAndWait(user, new Attest(known.get().proposal(), work));
    }

    private Outcome<Answer<ServiceRequest>> accepted(
            Account account, Pending pending, @Nullable Shown shown, @Nullable TakenAssertion taken) {
        if (shown != null && !shown.equals(inForce(account))) {
            return Outcome.nothing(Answer.refused(changed(account, pending)));
        }
        return signature(account, List.of(pending), taken, proofs)
                .fold(
                        signature -> accepted(account, pending, shown != null, signature),
                        refusal -> Outcome.nothing(Answer.refused(
                                refusal.code() == Refusal.Code.CHANGED ? changed(account, pending) : refusal)));
    }

    /** What was accepted without a passkey within the last day and was filled or still may be. */
    private static Usd unsigned(Account account) {
        Instant since = account.now().minus(OwnerPasskeys.WITHIN);
        Usd sum = Usd.ZERO;
        for (ServiceRequest request : account.requests().values()) {
            Instant at = request.unsignedAt();
            if (at != null && at.isAfter(since)) {
                sum = sum.plus(request.proposal().trade().amount());
            }
        }
        return sum;
    }

    /** The signature of an acceptance, with the passkeys of the account after its use; nulls for none. */
    private record Signature(
            @Nullable SignedAcceptance signed, @Nullable OwnerPasskeys passkeys) {
        static final Signature NONE = new Signature(null, null);

        private void record(Outcome.Recording recording) {
            if (passkeys != null) {
                recording.passkeys(passkeys);
            }
        }
    }

    /** Holds a signature against the requests, the policy and the portfolio of this moment; none where none is demanded. */
    private static Answer<Signature> signature(
            Account account, List<Pending> waiting, @Nullable TakenAssertion taken, PasskeyProofs proofs) {
        if (taken == null) {
            Usd amount = waiting.stream()
                    .map(pending -> pending.proposal().trade().amount())
                    .reduce(Usd.ZERO, Usd::plus);
            return account.passkeys().isRequiredFor(amount, unsigned(account))
                    ? Answer.refused(passkeyRequired())
                    : Answer.given(Signature.NONE);
        }
        AttestedRequest attested = taken.challenge().attested();
        List<Long> ids = waiting.stream().map(Pending::id).toList();
        if (attested == null || !attested.ids().equals(ids)) {
            return Answer.refused(PasskeyProofs.invalid("The passkey signed another request."));
        }
        AttestedRequest now = SignRequest.attested(
                account.userId(), waiting, account.ips(), account.portfolio(), attested.expiresAt(), attested.nonce());
        return proofs.used(account.userId(), account.passkeys(), taken, account.now())
                .then(passkeys -> attested.equals(now)
                        ? Answer.given(new Signature(
                                new SignedAcceptance(attested, taken.sent().assertion()), passkeys))
                        : Answer.refused(Refusal.of(Refusal.Code.CHANGED, CHANGED)));
    }

    /**
     * What an acceptance comes to.
     *
     * @param decision of this moment
     * @param event that records it
     * @param after the request, with its order or with the reason why there can be none; only if the decision allows it
     */
    private record Acceptance(Decision decision, EventDraft event, Pending after) {

        static Acceptance of(Account account, Pending pending, Signature signature) {
            Proposal proposal = pending.proposal();
            CapUsage used = usedByOthers(account, proposal);
            CheckedTrade checked = check(account, proposal, used);
            Attestation yes = new Attestation(true, null, signature.signed);
            Pending after = CustodianRouting.route(proposal.trade(), checked.trade(), account.portfolio())
                    .fold(
                            custodian -> {
                                Pending accepted = pending.accepted(
                                        custodian.id(), custodian.kind(), maxSlippage(account), account.now());
                                return signature.signed == null ? accepted : accepted.signed();
                            },
                            pending::notExecuted);
            return new Acceptance(
                    checked.decision(), DecisionPayload.draft(checked.accepted(proposal, used, yes)), after);
        }

        boolean isAllowed() {
            return decision.isAllowed();
        }

        /** The account in which the order counts as filled. */
        Account filled(Account before) {
            Portfolio reserved = SignRequest.reserved(before.portfolio(), after, before.now());
            return reserved == null
                    ? before
                    : before.after(new Outcome.Recording().portfolio(reserved).answer(receipts -> reserved));
        }
    }

    private Outcome<Answer<ServiceRequest>> accepted(
            Account account, Pending pending, boolean wasShown, Signature signature) {
        Acceptance acceptance = Acceptance.of(account, pending, signature);
        Outcome.Recording recording = new Outcome.Recording().event(acceptance.event);
        signature.record(recording);
        if (!acceptance.isAllowed()) {
            Decision decision = acceptance.decision;
            String message = "The policy does not allow this trade now: " + decision.reason() + ".";
            Refusal blocked = wasShown && !isPaused(account)
                    ? Refusal.changed(message, decision.violations(), pending)
                    : Refusal.blocked(message, decision.violations(), pending);
            return recording.answer(receipts -> Answer.refused(blocked));
        }
        recordPortfolio(account, acceptance.filled(account).portfolio(), recording);
        return recording.request(acceptance.after).answer(receipts -> Answer.given(acceptance.after));
    }

    /** Of the policy in force; without one no trade is allowed. */
    private static Fraction maxSlippage(Account account) {
        IpsVersion ips = account.ips();
        return ips == null ? Fraction.ZERO : ips.ips().maxSlippage();
    }

    private static CheckedTrade check(Account account, Proposal proposal, CapUsage used) {
        KeyPolicy policy =
                account.key(proposal.agentKeyId()).map(AgentKey::policy).orElse(KeyPolicy.NO_CAPS);
        return TradeCheck.check(AccountState.of(account).withoutFlows(), policy, proposal, used);
    }

    private static Refusal changed(Account account, Pending pending) {
        Proposal proposal = pending.proposal();
        Decision now = check(account, proposal, usedByOthers(account, proposal)).decision();
        return Refusal.changed(CHANGED, now.violations(), pending);
    }

    /** Whether every trade is blocked under the policy in force, so that whoever was shown it saw this one blocked. */
    private static boolean isPaused(Account account) {
        IpsVersion ips = account.ips();
        return ips != null && ips.ips().isPaused();
    }

    /** What a user sees who looks at a request of this account. */
    private static Shown inForce(Account account) {
        IpsVersion ips = account.ips();
        Portfolio portfolio = account.portfolio();
        return new Shown(ips == null ? null : ips.version(), portfolio == null ? 0 : portfolio.holdingsRevision());
    }

    /** Records the portfolio in which accepted orders count as filled, as its next revision. */
    private static void recordPortfolio(Account account, @Nullable Portfolio filled, Outcome.Recording recording) {
        Portfolio before = account.portfolio();
        if (before == null || filled == null || filled.equals(before)) {
            return;
        }
        Portfolio after = filled.at(before.revision() + 1);
        recording.portfolio(after).events(DriftDetector.between(account.ips(), before, account.ips(), after));
    }

    private static Outcome<Answer<ServiceRequest>> rejected(Account account, Pending pending, @Nullable String reason) {
        Outcome.Recording recording = new Outcome.Recording();
        Rejected rejected = pending.rejected(reason, account.now());
        RequestTransitions.reject(recording, rejected, account.tallyWithout(pending.proposal()));
        return recording.answer(receipts -> Answer.given(rejected));
    }

    /**
     * What the caps are compared with: the key's other trades. The request's own call and notional were counted when it
     * was proposed.
     */
    private static CapUsage usedByOthers(Account account, Proposal proposal) {
        return new CapUsage(0, Usd.ZERO, account.tallyWithout(proposal).aum());
    }

    private static Refusal passkeyRequired() {
        return Refusal.of(
                Refusal.Code.PASSKEY_REQUIRED,
                "Accept this with a passkey, as you demand for such amounts within 24 hours.");
    }

    private static Refusal unknown() {
        return Refusal.of(Refusal.Code.NOT_FOUND, "There is no request with this id.");
    }

    /** Applies an answer to a request that still waits for its user; refuses it for any other. */
    private record Attest(Proposal proposal, BiFunction<Account, Pending, Outcome<Answer<ServiceRequest>>> work)
            implements Change<Answer<ServiceRequest>> {
        @Override
        public LoadSpec needs() {
            return LoadSpec.ofAnswer(proposal);
        }

        @Override
        public Outcome<Answer<ServiceRequest>> apply(Account account) {
            ServiceRequest request = account.request(proposal.id()).orElse(null);
            if (request == null) {
                return Outcome.nothing(Answer.refused(unknown()));
            }
            if (!(request instanceof Pending pending)) {
                return Outcome.nothing(resolved(request));
            }
            if (pending.isAccepted()) {
                return Outcome.nothing(
                        Answer.refused(Refusal.resolved("This request was accepted and is being executed.", pending)));
            }
            return pending.isExpired(account.now())
                    ? RequestTransitions.expire(account, pending, AttestRequest::resolved)
                    : work.apply(account, pending);
        }
    }

    private static Answer<ServiceRequest> resolved(ServiceRequest request) {
        String message = "This request is already " + request.status().wireName() + ".";
        return Answer.refused(Refusal.resolved(message, request));
    }
}
