package dev.agentpolicy.domain.event.passkey;

import static dev.agentpolicy.domain.document.Schema.nullable;
import static dev.agentpolicy.domain.document.Schema.required;

import dev.agentpolicy.domain.agent.UserId;
import dev.agentpolicy.domain.document.Codec;
import dev.agentpolicy.domain.document.Schema;
import dev.agentpolicy.domain.document.Sha256;
import dev.agentpolicy.domain.event.canonical.Base64Url;
import dev.agentpolicy.domain.event.canonical.CanonicalForm;
import dev.agentpolicy.domain.trade.Trade;
import dev.agentpolicy.domain.trade.TradePayload;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a user signs with a passkey to accept a request (docs/reference/passkeys.md).
 *
 * @param userId the user
 * @param serviceRequestId the request
 * @param trade the trade that is accepted
 * @param custodian the custodian that would execute it; null when none can
 * @param ipsVersion the version of the IPS in force; null when there is none
 * @param portfolioRevision of the quantities and cash
 * @param decisionHash the hash of the proposal's event
 * @param expiresAt until when it may be used
 * @param nonce 16 random bytes, base64url
 */
public record AttestedRequest(
        UserId userId,
        long serviceRequestId,
        Trade trade,
        @Nullable String custodian,
        @Nullable Integer ipsVersion,
        long portfolioRevision,
        String decisionHash,
        Instant expiresAt,
        String nonce) {
    /** How long a challenge may be used. */
    public static final Duration MAX_AGE = Duration.ofMinutes(5);

    /** The number of random bytes. */
    public static final int NONCE_BYTES = 16;

    /** The members that are hashed and that the event has. */
    public static final Schema<AttestedRequest> SCHEMA = Schema.of(
            row -> new AttestedRequest(
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next(),
                    row.next()),
            required("userId", Codec.ID.as(UserId::new, UserId::value), AttestedRequest::userId),
            required("serviceRequestId", Codec.LONG, AttestedRequest::serviceRequestId),
            required("trade", TradePayload.SIGNED, AttestedRequest::trade),
            nullable("custodian", Codec.TEXT, AttestedRequest::custodian),
            nullable("ipsVersion", Codec.INTEGER, AttestedRequest::ipsVersion),
            required("portfolioRevision", Codec.LONG, AttestedRequest::portfolioRevision),
            required("decisionHash", Codec.TEXT, AttestedRequest::decisionHash),
            required("expiresAt", Codec.INSTANT, AttestedRequest::expiresAt),
            required("nonce", Codec.TEXT, AttestedRequest::nonce));

    private static final String PREFIX = "agent-policy/attestation/v1\n";

    /** The challenge: SHA-256 of the canonical text, in base64url. */
    public String challenge() {
        return challenge(CanonicalForm.write(SCHEMA.write(this)));
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
