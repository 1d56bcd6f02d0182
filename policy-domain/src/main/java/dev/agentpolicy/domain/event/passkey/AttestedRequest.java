package dev.agentpolicy.domain.event.passkey;

import static dev.agentpolicy.domain.document.Schema.inline;
import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Document;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.document.Schema.Member;
import dev.agentpolicy.domain.document.Schema.Row;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.TradePayload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a user signs with a passkey to accept one request or several (docs/reference/passkeys.md).
 *
 * @param userId the user
 * @param requests what is accepted, in this order
 * @param ipsVersion the version of the IPS in force; null when there is none
 * @param portfolioRevision of the quantities and cash
 * @param expiresAt until when it may be used
 * @param nonce 16 random bytes, base64url
 */
public record AttestedRequest(
        UserId userId,
        List<Signed> requests,
        @Nullable Integer ipsVersion,
        long portfolioRevision,
        Instant expiresAt,
        String nonce) {
    /** How long a challenge may be used. */
    public static final Duration MAX_AGE = Duration.ofMinutes(5);

    /** The number of random bytes. */
    public static final int NONCE_BYTES = 16;

    private static final Schema<Signed> SIGNED = Schema.of(
            row -> new Signed(row.next(), row.next(), row.next(), row.next()),
            required("serviceRequestId", Codec.LONG, Signed::serviceRequestId),
            required("trade", TradePayload.SIGNED, Signed::trade),
            nullable("custodian", Codec.TEXT, Signed::custodian),
            required("decisionHash", Codec.TEXT, Signed::decisionHash));

    private static final Schema<AttestedRequest> ONE = schema(
            row -> new AttestedRequest(
                    row.next(), List.of(row.<Signed>next()), row.next(), row.next(), row.next(), row.next()),
            inline(SIGNED, it -> it.requests.get(0)));

    private static final Schema<AttestedRequest> SEVERAL = schema(
            row -> new AttestedRequest(row.next(), row.next(), row.next(), row.next(), row.next(), row.next()),
            required("requests", Codec.list(SIGNED), AttestedRequest::requests));

    public AttestedRequest {
        requests = List.copyOf(requests);
    }

    /**
     * One request of what is signed.
     *
     * @param serviceRequestId the request
     * @param trade the trade that is accepted
     * @param custodian the custodian that would execute it; null when none can
     * @param decisionHash the hash of the proposal's event
     */
    public record Signed(
            long serviceRequestId, Trade trade, @Nullable String custodian, String decisionHash) {}

    /** The ids of the requests, in their order. */
    public List<Long> ids() {
        return requests.stream().map(Signed::serviceRequestId).toList();
    }

    private static Schema<AttestedRequest> schema(
            Function<Row, AttestedRequest> maker, Member<AttestedRequest> requests) {
        return Schema.of(
                maker,
                required("userId", Codec.ID.as(UserId::new, UserId::value), AttestedRequest::userId),
                requests,
                nullable("ipsVersion", Codec.INTEGER, AttestedRequest::ipsVersion),
                required("portfolioRevision", Codec.LONG, AttestedRequest::portfolioRevision),
                required("expiresAt", Codec.INSTANT, AttestedRequest::expiresAt),
                required("nonce", Codec.TEXT, AttestedRequest::nonce));
    }

    /** Reads what this service wrote. */
    public static AttestedRequest readStored(Document stored) {
        return (stored.members().containsKey("requests") ? SEVERAL : ONE).readWhole(stored);
    }

    /** The document that is hashed and that the event has. */
    public Map<String, @Nullable Object> document() {
        return (requests.size() == 1 ? ONE : SEVERAL).write(this);
    }

    private static final String PREFIX = "agent-policy/attestation/v1\n";

    /** The challenge: SHA-256 of the canonical text, in base64url. */
    public String challenge() {
        return challenge(CanonicalForm.write(document()));
    }

    /** The challenge of the canonical text of what is signed. */
    public static String challenge(String canonical) {
        return Base64Url.encode(Sha256.of(PREFIX + canonical));
    }

    /**
     * An acceptance that the user signed with a passkey.
     *
     * @param attested what was signed
     * @param assertion the signature over its challenge
     */
    public record SignedAcceptance(AttestedRequest attested, PasskeyAssertion assertion) {}
}
