package dev.agentpolicy.domain.usecase.request;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.decision.Receipt;
import dev.agentpolicy.domain.event.passkey.AttestedRequest;
import dev.agentpolicy.domain.event.passkey.Passkey;
import dev.agentpolicy.domain.ips.IpsVersion;
import dev.agentpolicy.domain.port.AccountReader;
import dev.agentpolicy.domain.port.AccountReader.AccountView;
import dev.agentpolicy.domain.port.RequestQueue;
import dev.agentpolicy.domain.portfolio.CustodianHoldings;
import dev.agentpolicy.domain.portfolio.OpenOrder;
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.quantity.Fraction;
import dev.agentpolicy.domain.request.CustodianRouting;
import dev.agentpolicy.domain.request.OrderAttempt;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.signin.PasskeyProofs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives out the challenge with which a passkey accepts a request (docs/reference/passkeys.md). */
public final class SignRequest {
    private final AccountReader accounts;
    private final RequestQueue requests;
    private final PasskeyProofs proofs;

    public SignRequest(AccountReader accounts, RequestQueue requests, PasskeyProofs proofs) {
        this.accounts = accounts;
        this.requests = requests;
        this.proofs = proofs;
    }

    /**
     * What a browser needs to sign an acceptance.
     *
     * @param challenge base64url
     * @param attested what the challenge is the hash of
     * @param passkeys those that may sign
     */
    public record SigningOffer(String challenge, AttestedRequest attested, List<Passkey> passkeys) {}

    /**
     * The challenge for one request that waits for its user, or for several that are accepted together, in their order.
     * Blocks on a few queries.
     */
    public Answer<SigningOffer> offer(UserId user, List<Long> ids) {
        List<Pending> waiting = new ArrayList<>();
        for (Long id : ids) {
            ServiceRequest request = requests.find(user, id).orElse(null);
            if (request == null) {
                return Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, "There is no request with this id."));
            }
            if (!(request instanceof Pending pending) || pending.isAccepted()) {
                return Answer.refused(Refusal.resolved("This request does not wait for an answer any more.", request));
            }
            waiting.add(pending);
        }
        AccountView account = accounts.view(user);
        List<Passkey> passkeys = account.passkeys().all();
        if (passkeys.isEmpty()) {
            return Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, "You have no passkey; register one first."));
        }
        AttestedRequest attested =
                attested(user, waiting, account.ips(), account.portfolio(), proofs.expiry(), proofs.nonce());
        return Answer.given(new SigningOffer(proofs.challenge(attested), attested, passkeys));
    }

    /** What is signed of requests while policy and portfolio are as given; each reserves what the next cannot use. */
    static AttestedRequest attested(
            UserId user,
            List<Pending> waiting,
            @Nullable IpsVersion ips,
            @Nullable Portfolio portfolio,
            Instant expiresAt,
            String nonce) {
        List<AttestedRequest.Signed> signed = new ArrayList<>();
        Portfolio left = portfolio;
        for (Pending pending : waiting) {
            Proposal proposal = pending.proposal();
            Receipt proposed = proposal.receipt();
            CustodianHoldings custodian =
                    CustodianRouting.custodian(proposal.trade(), left).orElse(null);
            signed.add(new AttestedRequest.Signed(
                    pending.id(),
                    proposal.trade(),
                    custodian == null ? null : custodian.id(),
                    proposed == null ? "" : proposed.hash()));
            if (custodian != null) {
                // The bound of the order is not known before its user accepts; it reserves nothing.
                left = reserved(
                        left, pending.accepted(custodian.id(), custodian.kind(), Fraction.ZERO, expiresAt), expiresAt);
            }
        }
        return new AttestedRequest(
                user,
                signed,
                ips == null ? null : ips.version(),
                portfolio == null ? 0 : portfolio.holdingsRevision(),
                expiresAt,
                nonce);
    }

    /** The portfolio in which the order of an accepted request counts as filled. */
    static @Nullable Portfolio reserved(@Nullable Portfolio before, Pending accepted, Instant now) {
        OrderAttempt order = accepted.order();
        if (order == null || before == null) {
            return before;
        }
        List<OpenOrder> open = new ArrayList<>();
        before.custodian(order.custodian()).ifPresent(holdings -> open.addAll(holdings.openOrders()));
        open.add(order.openOrder(accepted.proposal().trade()));
        return before.withOpenOrders(order.custodian(), open, now);
    }
}
