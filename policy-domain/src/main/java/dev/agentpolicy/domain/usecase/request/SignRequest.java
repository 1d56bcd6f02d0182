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
import dev.agentpolicy.domain.portfolio.Portfolio;
import dev.agentpolicy.domain.request.CustodianRouting;
import dev.agentpolicy.domain.request.Proposal;
import dev.agentpolicy.domain.request.ServiceRequest;
import dev.agentpolicy.domain.request.ServiceRequest.Pending;
import dev.agentpolicy.domain.usecase.Answer;
import dev.agentpolicy.domain.usecase.Refusal;
import dev.agentpolicy.domain.usecase.signin.PasskeyProofs;
import java.time.Instant;
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

    /** The challenge for a request that waits for its user. Blocks on a few queries. */
    public Answer<SigningOffer> offer(UserId user, long id) {
        ServiceRequest request = requests.find(user, id).orElse(null);
        if (request == null) {
            return Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, "There is no request with this id."));
        }
        if (!(request instanceof Pending pending) || pending.isAccepted()) {
            return Answer.refused(Refusal.resolved("This request does not wait for an answer any more.", request));
        }
        AccountView account = accounts.view(user);
        List<Passkey> passkeys = account.passkeys().all();
        if (passkeys.isEmpty()) {
            return Answer.refused(Refusal.of(Refusal.Code.NOT_FOUND, "You have no passkey; register one first."));
        }
        AttestedRequest attested =
                attested(pending.proposal(), account.ips(), account.portfolio(), proofs.expiry(), proofs.nonce());
        return Answer.given(new SigningOffer(proofs.challenge(attested), attested, passkeys));
    }

    /** What is signed of a request while policy and portfolio are as given. */
    static AttestedRequest attested(
            Proposal proposal,
            @Nullable IpsVersion ips,
            @Nullable Portfolio portfolio,
            Instant expiresAt,
            String nonce) {
        Receipt proposed = proposal.receipt();
        return new AttestedRequest(
                proposal.userId(),
                proposal.id(),
                proposal.trade(),
                CustodianRouting.custodian(proposal.trade(), portfolio)
                        .map(CustodianHoldings::id)
                        .orElse(null),
                ips == null ? null : ips.version(),
                portfolio == null ? 0 : portfolio.holdingsRevision(),
                proposed == null ? "" : proposed.hash(),
                expiresAt,
                nonce);
    }
}
